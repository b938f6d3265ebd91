"""The live view as a local page: loopback only, behind a random token."""

from __future__ import annotations

import json
import secrets
import socket
import threading
import time
from contextlib import suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from .._errors import InputError
from .._run.result import finite
from .live import Follower, live_charts
from .page import asset, content_policy, template

#: Besides its own script the page may ask this server, nobody else.
POLICY = "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
#: Connections that may wait to be taken, and that may be open at once.
BACKLOG, MOST = 1024, 1024
#: Seconds after which a connection is closed, whatever it is doing.
LONGEST = 10.0


class LiveServer(ThreadingHTTPServer):
    """Serves one journal at http://127.0.0.1:PORT/TOKEN/ until it is shut down."""

    daemon_threads = True
    request_queue_size = BACKLOG

    def __init__(self, journal: str, port: int = 0) -> None:
        self.follower = Follower(journal)
        self._one_at_a_time = threading.Lock()
        self._open: dict[socket.socket, float] = {}
        self._told: tuple[tuple[int, bool | None], str] | None = None
        self.token = secrets.token_urlsafe(18)
        super().__init__(("127.0.0.1", port), _Handler)
        safe = {name: asset(name) for name in ("page.css", "charts.js", "live.js")}
        own = content_policy([safe["page.css"]], [safe["charts.js"], safe["live.js"]])
        self.policy = f"{own}; {POLICY}"
        self._page = template("live.html.jinja", safe, title=self.follower.path.name)

    @property
    def address(self) -> str:
        """Return the address of the page."""
        return f"http://127.0.0.1:{self.server_address[1]}/{self.token}/"

    def page(self) -> str:
        """Return the HTML; its script asks for the numbers every second."""
        return self._page

    def data(self) -> str:
        """Return the newest numbers as JSON, or what is wrong with the journal."""
        with self._one_at_a_time:
            try:
                new = self.follower.look()
            except InputError as error:
                return json.dumps({"problem": str(error)})
            state = self.follower.scored, self.follower.going_on()
            if new or self._told is None or self._told[0] != state:
                self._told = state, self._summary()
            return self._told[1]

    def _summary(self) -> str:
        summary = self.follower.summary()
        charts = [chart.to_dict() for chart in live_charts(summary)]
        told = {k: v for k, v in summary.items() if k not in ("columns", "frequency")}
        return json.dumps(finite({**told, "charts": charts}), allow_nan=False)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Take a connection, unless too many are open; it is closed when its time is over."""
        if len(self._open) >= MOST:
            self.shutdown_request(request)
            return
        self._open[request] = time.monotonic()
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        """Close a connection."""
        self._open.pop(request, None)
        super().shutdown_request(request)

    def service_actions(self) -> None:
        """Between requests: close what is open for too long, also if it sends a byte at times."""
        now = time.monotonic()
        for request, since in list(self._open.items()):
            if now - since > LONGEST:
                self._open.pop(request, None)
                with suppress(OSError):
                    request.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print nothing about connections that break."""


class _Handler(BaseHTTPRequestHandler):
    server: LiveServer
    server_version = "fewest"
    sys_version = ""
    timeout = LONGEST

    def do_GET(self) -> None:
        found = self._find() if self._is_ours() else None
        if found is None:
            self.send_error(HTTPStatus.NOT_FOUND)
        else:
            self._reply(HTTPStatus.OK, *found)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Refuse, also what is no request, with the same headers as an answer."""
        self.close_connection = True
        status = HTTPStatus(code)
        self._reply(status, "text/plain", f"{status.value} {status.phrase}\n")

    def _reply(self, status: HTTPStatus, kind: str, text: str) -> None:
        body = text.encode("utf-8")
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", self.server.policy)
        self.send_header("Cache-Control", "no-store")
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.end_headers()
        self.wfile.write(body)

    def _is_ours(self) -> bool:
        """Return whether the token is right and no foreign name points to this address."""
        host = (self.headers.get("Host") or "").rpartition(":")[0]
        given = self.path.split("/")[1] if self.path.count("/") >= 2 else ""
        right = secrets.compare_digest(given.encode(), self.server.token.encode())
        return right and host in ("127.0.0.1", "localhost")

    def _find(self) -> tuple[str, str] | None:
        what = self.path.split("/", 2)[2]
        if what == "":
            return "text/html", self.server.page()
        return ("application/json", self.server.data()) if what == "data" else None

    def log_message(self, format: str, *args: Any) -> None:
        """Print nothing: the terminal shows the address only."""
