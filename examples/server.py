"""Serve a game over HTTP with the standard library: two requests, no framework.

    python server.py            # play one game against itself, as a test
    python server.py 8000       # serve it on http://127.0.0.1:8000

GET /?seat=Ana shows everything that this seat may see, with the options. POST /?seat=Ana&option=3 plays option 3.
The game is saved after each move, so you can stop the server at any time.
"""

from __future__ import annotations

import json
import sys
import threading
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import parse_qs, urlsplit

import rulelang
from rulelang.presentation.view import document

SEATS = ["Ana", "Bob"]


class Table:
    """One game, saved to a file after every move."""

    def __init__(self, file: Path, seed: int = 7) -> None:
        self.game = rulelang.load("evolution")
        self.file = file
        self.lock = threading.Lock()  # one move at a time
        if file.exists():
            self.state = self.game.restore(file.read_bytes())
        else:
            self.state = self.game.new(players=len(SEATS), seed=seed, names=SEATS)

    def view(self, seat: str) -> dict[str, object]:
        """Return the view of a seat. It contains options only if that seat must decide."""
        return dict(document(self.state, seat))

    def play(self, seat: str, option: int) -> None:
        """Play one of a seat's options. Raise ValueError if it is not that seat's turn."""
        if self.state.over or self.state.decider != SEATS.index(seat) + 1:
            raise ValueError(f"it is not {seat}'s turn")
        refusals = self.state.try_play(option)
        if refusals:
            raise ValueError("; ".join(str(refusal) for refusal in refusals))
        self.file.write_bytes(self.state.save())


class Handler(BaseHTTPRequestHandler):
    """Answer GET with a view and POST with a move."""

    table: Table

    def do_GET(self) -> None:
        self.answer(None)

    def do_POST(self) -> None:
        self.answer(parse_qs(urlsplit(self.path).query).get("option", [""])[0])

    def answer(self, option: str | None) -> None:
        seat = parse_qs(urlsplit(self.path).query).get("seat", [""])[0]
        try:
            with self.table.lock:
                if seat not in SEATS:
                    raise ValueError(f"choose a seat: {', '.join(SEATS)}")
                if option is not None:
                    self.table.play(seat, int(option))
                code, body = 200, self.table.view(seat)
        except ValueError as problem:
            code, body = 400, {"error": str(problem)}
        data = json.dumps(body).encode()
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *parts: object) -> None:
        """Print nothing for each request."""


def serve(port: int, file: Path) -> ThreadingHTTPServer:
    """Start a server in the background. Port 0 picks a free port."""
    handler = type("TableHandler", (Handler,), {"table": Table(file)})
    server = ThreadingHTTPServer(("127.0.0.1", port), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def main() -> None:
    """Serve on the given port, or play a test game on a free port."""
    if len(sys.argv) > 1:
        server = serve(int(sys.argv[1]), Path("evolution.save"))
        print(f"http://127.0.0.1:{server.server_port}/?seat={SEATS[0]}")
        threading.Event().wait()
    with TemporaryDirectory() as folder:
        server = serve(0, Path(folder) / "game.save")
        address = f"http://127.0.0.1:{server.server_port}/"
        moves = 0
        while True:
            views = {seat: json.load(urllib.request.urlopen(f"{address}?seat={seat}")) for seat in SEATS}
            if views[SEATS[0]]["over"]:
                break
            seat, options = next(
                (seat, question["options"]) for seat in SEATS if "options" in (question := views[seat]["question"])
            )
            request = urllib.request.Request(f"{address}?seat={seat}&option={options[-1]['index']}", method="POST")
            urllib.request.urlopen(request).close()
            moves += 1
        print(f"{moves} moves over HTTP")
        print(views[SEATS[0]]["summary"])
        try:
            urllib.request.urlopen(f"{address}?seat=Eve")
        except urllib.error.HTTPError as error:
            print("refused:", json.load(error)["error"])
        server.shutdown()


if __name__ == "__main__":
    main()
