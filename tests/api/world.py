"""The API over a filled store, as a program of its own, and how to ask it."""
import contextlib
import http.client
import json
import subprocess
import tempfile
import urllib.parse


class Answer:
    def __init__(self, status, headers, body):
        self.status = status
        self.headers = {name.lower(): value for name, value in headers}
        self.body = body

    @property
    def media(self):
        return self.headers.get("content-type", "").split(";")[0]

    def json(self):
        return json.loads(self.body)


class World:
    def __init__(self, url, tokens):
        self.url = url
        self.tokens = tokens
        parts = urllib.parse.urlsplit(url)
        self.host, self.port = parts.hostname, parts.port
        self.connection = http.client.HTTPConnection(self.host, self.port, timeout=30)

    def ask(self, method, target, body=None, role=None, headers=None):
        headers = dict(headers or {})
        if role:
            headers["Authorization"] = "Bearer " + self.tokens[role]
        if body is not None and not isinstance(body, (bytes, str)):
            body = json.dumps(body)
            headers.setdefault("Content-Type", "application/json")
        for attempt in (0, 1):
            try:
                self.connection.request(method, target, body=body, headers=headers)
                answer = self.connection.getresponse()
                return Answer(answer.status, answer.getheaders(), answer.read())
            except (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError,
                    http.client.CannotSendRequest):
                # A kept connection may be closed by the other side at any time.
                self.connection.close()
                if attempt:
                    raise


@contextlib.contextmanager
def world(program, *tls):
    with tempfile.TemporaryDirectory(prefix="patra-api-") as folder:
        process = subprocess.Popen([program, f"sqlite:{folder}/patra.db", folder, *tls], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, text=True)
        try:
            about = json.loads(process.stdout.readline())
            yield World(about["url"], about["tokens"])
        finally:
            process.stdin.close()
            process.wait(timeout=60)
        if process.returncode != 0:
            raise AssertionError(f"the server ended with {process.returncode}")
