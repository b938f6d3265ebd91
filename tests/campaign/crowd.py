"""Many at once on the live page, some of them rude."""

from __future__ import annotations

import http.client
import socket
import threading
from pathlib import Path

import numpy as np

from fewest._report.live_server import LiveServer
from tests.campaign.trial import expect
from tests.report.journals import BATCHES, growing_journal

AT_ONCE, RUDE = 500, 60


def crowd(rng: np.random.Generator, folder: Path) -> None:
    """500 requests at once beside half-open connections: each is answered."""
    with growing_journal(folder / "run.jsonl") as (path, write):
        write(*BATCHES[0])
        with LiveServer(str(path)) as server:
            threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
            rude = [socket.create_connection(server.server_address) for _ in range(RUDE)]
            for one in rude:
                one.sendall(rng.bytes(int(rng.integers(1, 200))).replace(b"\n", b" "))
            statuses = _ask_all(server)
            for one in rude:
                one.close()
            server.shutdown()
    expect(statuses == [200] * AT_ONCE, f"{AT_ONCE - statuses.count(200)} were not answered")


def _ask_all(server: LiveServer) -> list[int]:
    statuses: list[int] = []

    def ask() -> None:
        port = server.server_address[1]
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        try:
            path = f"/{server.token}/data"
            connection.request("GET", path, headers={"Host": f"127.0.0.1:{port}"})
            statuses.append(connection.getresponse().status)
        except OSError:
            statuses.append(0)
        finally:
            connection.close()

    threads = [threading.Thread(target=ask) for _ in range(AT_ONCE)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return statuses
