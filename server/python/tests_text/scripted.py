"""A model that answers from a script, behind an OpenAI-compatible interface on this machine."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable, Iterator

Script = Callable[[list[dict[str, Any]]], str]
"""Takes the messages so far and gives the answer."""


class ScriptedModel:
    """Serves until ``close``; ``seen`` has the messages of each request."""

    def __init__(self, script: Script) -> None:
        self.seen: list[list[dict[str, Any]]] = []
        model = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                model.seen.append(body["messages"])
                kind, sent = answer(body, script(body["messages"]))
                self.send_response(200)
                self.send_header("content-type", kind)
                self.send_header("content-length", str(len(sent)))
                self.end_headers()
                self.wfile.write(sent)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def answer(body: dict[str, Any], text: str) -> tuple[str, bytes]:
    """Content type and bytes of a completion, as a stream where the client asks for one."""
    about = {"id": "scripted", "created": 0, "model": body["model"]}
    message = {"role": "assistant", "content": text}
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    if not body.get("stream"):
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        whole = {**about, "object": "chat.completion", "choices": [choice], "usage": usage}
        return "application/json", json.dumps(whole).encode()

    def chunks() -> Iterator[dict[str, Any]]:
        yield {"choices": [{"index": 0, "delta": message, "finish_reason": None}]}
        yield {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
        yield {"choices": [], "usage": usage}

    lines = [json.dumps({**about, "object": "chat.completion.chunk", **c}) for c in chunks()]
    return "text/event-stream", "".join(f"data: {line}\n\n" for line in [*lines, "[DONE]"]).encode()
