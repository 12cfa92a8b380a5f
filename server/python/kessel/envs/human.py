"""Render mode ``human``: a page on this machine that shows the board of an environment and follows it."""

from __future__ import annotations

import json
import secrets
import sys
import threading
import time
import webbrowser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

WAIT_SECONDS = 20.0
"""How long the page waits for the next board before it asks again."""

PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Kessel</title>
<style>
  body { margin: 0; background: #f4f1ea; color: #222; font: 16px/1.4 system-ui, sans-serif; }
  h1 { margin: 0; padding: 8px 16px; font-size: 16px; font-weight: 600; }
  img { display: block; max-width: 100%; max-height: calc(100vh - 40px); margin: 0 auto; }
</style>
<h1 id="caption" role="status">Waiting for the first board.</h1>
<img id="board" alt="">
<script>
  async function follow(seen) {
    const caption = document.getElementById("caption"), board = document.getElementById("board");
    for (;;) {
      let next;
      try {
        const reply = await fetch("board?after=" + seen);
        if (!reply.ok) throw new Error();
        next = await reply.json();
      } catch {
        caption.textContent += " The program has closed the environment.";
        return;
      }
      if (next.number === seen) continue;
      seen = next.number;
      document.title = caption.textContent = board.alt = next.caption;
      board.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(next.svg);
    }
  }
  follow(0);
</script>
</html>
"""


class Window:
    """The page of one environment, at an address of this machine that nobody can guess.

    Args:
        fps: boards that it shows a second, at most: a program that steps faster waits.
    """

    def __init__(self, fps: float) -> None:
        self._shown = threading.Condition()
        self._board: dict[str, Any] = {"number": 0, "caption": "", "svg": ""}
        self._closed = False
        self._pause = 1 / fps
        self._next = 0.0
        self._path = f"/{secrets.token_urlsafe(16)}/"
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{self._server.server_address[1]}{self._path}"
        if not webbrowser.open(self.address):
            print(f"Kessel shows the board at {self.address}", file=sys.stderr, flush=True)

    def show(self, svg: str, caption: str) -> None:
        """Shows a board, and waits so that the last one was seen."""
        time.sleep(max(0.0, self._next - time.monotonic()))
        self._next = time.monotonic() + self._pause
        with self._shown:
            self._board = {"number": self._board["number"] + 1, "caption": caption, "svg": svg}
            self._shown.notify_all()

    def close(self) -> None:
        with self._shown:
            self._closed = True
            self._shown.notify_all()
        self._server.shutdown()
        self._server.server_close()

    def _after(self, number: int) -> dict[str, Any] | None:
        """The board that follows one, or the same one when none has come in time; ``None`` after the end."""
        with self._shown:
            self._shown.wait_for(lambda: self._closed or self._board["number"] > number, WAIT_SECONDS)
            return None if self._closed else self._board

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        window = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                asked = urlsplit(self.path)
                # a page of another site may lead a name of its own to this machine
                if self.headers.get("Host", "").rsplit(":", 1)[0] not in ("127.0.0.1", "localhost"):
                    self._answer(403, "text/plain", "this address answers to 127.0.0.1 and localhost")
                elif asked.path == window._path:
                    self._answer(200, "text/html", PAGE)
                elif asked.path == window._path + "board":
                    after = parse_qs(asked.query).get("after", ["0"])[0]
                    board = window._after(int(after) if after.isdecimal() else 0)
                    if board is None:
                        self._answer(410, "text/plain", "the environment is closed")
                    else:
                        self._answer(200, "application/json", json.dumps(board))
                else:
                    self._answer(404, "text/plain", "there is nothing here")

            def _answer(self, status: int, kind: str, text: str) -> None:
                body = text.encode()
                self.send_response(status)
                self.send_header("Content-Type", f"{kind}; charset=utf-8")
                self.send_header("Content-Length", str(len(body)))
                self.send_header("Cache-Control", "no-store")
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: Any) -> None:
                """Nothing: the program's output is its own."""

        return Handler
