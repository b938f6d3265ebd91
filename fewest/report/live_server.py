"""The live view as a local page: loopback only, behind a random token."""

from __future__ import annotations

import json
import secrets
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from .live import Follower, live_charts
from .page import asset, template

#: The page may run its own script and ask this server, nobody else.
POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
    "connect-src 'self'; img-src data:; frame-ancestors 'none'"
)


class LiveServer(ThreadingHTTPServer):
    """Serves one journal at http://127.0.0.1:PORT/TOKEN/ until it is shut down."""

    daemon_threads = True

    def __init__(self, journal: str, port: int = 0) -> None:
        self.follower = Follower(journal)
        self._one_at_a_time = threading.Lock()
        self.token = secrets.token_urlsafe(18)
        super().__init__(("127.0.0.1", port), _Handler)

    @property
    def address(self) -> str:
        """Where to look."""
        return f"http://127.0.0.1:{self.server_address[1]}/{self.token}/"

    def page(self) -> str:
        """The HTML; its script asks for the numbers every second."""
        safe = {name: asset(name) for name in ("page.css", "charts.js", "live.js")}
        return template("live.html.jinja", safe, title=self.follower.path.name)

    def data(self) -> str:
        """The newest numbers as JSON."""
        with self._one_at_a_time:
            self.follower.look()
            summary = self.follower.summary()
        charts = [chart.to_dict() for chart in live_charts(summary)]
        told = {k: v for k, v in summary.items() if k not in ("columns", "frequency")}
        return json.dumps({**told, "charts": charts})


class _Handler(BaseHTTPRequestHandler):
    server: LiveServer
    server_version = "fewest"
    sys_version = ""

    def do_GET(self) -> None:
        found = self._find() if self._is_ours() else None
        if found is None:
            self.send_error(404)
            return
        kind, text = found
        body = text.encode("utf-8")
        self.send_response(200)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", POLICY)
        self.send_header("Cache-Control", "no-store")
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.end_headers()
        self.wfile.write(body)

    def _is_ours(self) -> bool:
        """The token is right, and no foreign name points to this address."""
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
        """Say nothing: the terminal belongs to the person."""
