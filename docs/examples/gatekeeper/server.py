"""A gatekeeper to begin with: it routes by a few plain rules. Needs nothing but Python.

    GATEKEEPER_TOKEN=... GATEKEEPER_SECRET=... python3 server.py --host 0.0.0.0 --port 8080

With --port 0 it takes a free port and says which. Without a token or a secret in its environment it does not ask for
them. docs/gatekeeper.md says what it is asked and what it may answer.
"""

import argparse
from collections.abc import Mapping
import hashlib
import hmac
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
import json
import os
import re
import time
from typing import Any

# Who is meant, by words of the request; the first rule that fits decides.
RULES = {
    "music-agent": {"music", "song", "songs", "jazz", "radio", "playlist", "louder", "quieter"},
    "light-agent": {"light", "lights", "lamp", "lamps", "brighter", "darker", "dim"},
    "climate-agent": {"heating", "thermostat", "warmer", "colder", "degrees", "cold", "hot"},
}
TOKEN = os.environ.get("GATEKEEPER_TOKEN", "")
SECRET = os.environ.get("GATEKEEPER_SECRET", "")
MAX_BODY = 1024 * 1024
TOLERANCE = 300  # seconds between the two clocks


def is_welcome(headers: Mapping[str, str], body: bytes) -> bool:
    """Return whether token and signature are right, where they are asked for."""
    token = f"Bearer {TOKEN}" if TOKEN else ""
    given = headers.get("Authorization", "")
    # compare_digest takes as long for a wrong guess as for a right one.
    if TOKEN and not hmac.compare_digest(given.encode(), token.encode()):
        return False
    if not SECRET:
        return True
    timestamp = headers.get("X-Bellboard-Timestamp", "")
    if not re.fullmatch(r"[0-9]{1,12}", timestamp):
        return False
    if abs(time.time() - int(timestamp)) > TOLERANCE:
        return False
    digest = hmac.new(SECRET.encode(), timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()
    signature = headers.get("X-Bellboard-Signature", "")
    return hmac.compare_digest(signature.encode(), f"sha256={digest}".encode())


def decide(request: dict[str, Any]) -> dict[str, Any]:
    """Return who goes on with which piece of the request. Nobody is chosen twice, so that it comes to an end."""
    done = {step["agent_id"] for step in request["workflow_history"]}
    there = {agent["agent_id"] for agent in request["available_agents"]}
    for piece in re.split(r"(?i),|\band\b|\bthen\b", request["original_query"]):
        words = set(re.findall(r"\w+", piece.lower()))
        for agent, known in RULES.items():
            if words & known and agent in there - done:
                return {
                    "workflow_complete": False,
                    "next_agent": agent,
                    "next_instruction": piece.strip()[:500],
                    "confidence": 0.9,
                }
    return {"workflow_complete": True}


class Gatekeeper(BaseHTTPRequestHandler):
    """Answers POST .../route."""

    protocol_version = "HTTP/1.1"
    timeout = 30

    def do_POST(self) -> None:
        """Check who asks, and decide."""
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdecimal() and int(length) <= MAX_BODY):
            self.close_connection = True
            self.reply(413, {"error": "the request has no length, or is too long"})
            return
        body = self.rfile.read(int(length))
        if not self.path.endswith("/route"):
            self.reply(404, {"error": "ask POST .../route"})
        elif not is_welcome(self.headers, body):
            self.reply(401, {"error": "token or signature"})
        else:
            try:
                self.reply(200, decide(json.loads(body)))
            except AttributeError, KeyError, TypeError, ValueError:
                self.reply(400, {"error": "this is not what a gatekeeper is asked"})

    def reply(self, status: int, answer: dict[str, Any]) -> None:
        """Send an answer as JSON."""
        body = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Write the status alone: what was said is nobody's business."""
        print(code, flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8080)
    arguments = parser.parse_args()
    server = ThreadingHTTPServer((arguments.host, arguments.port), Gatekeeper)
    print(f"http://{arguments.host}:{server.server_port}/gatekeeper", flush=True)
    server.serve_forever()
