"""Sends calls on one connection that stays open, waits where a bucket is empty, and repeats what is safe to repeat."""

from __future__ import annotations

import gzip
import http.client
import json
import logging
import re
import ssl
import time
from dataclasses import dataclass
from typing import Any, Mapping, Optional
from urllib.parse import urlsplit

from .proxy import Proxy, proxy_for

logger = logging.getLogger("frames_client")

# The service closes a connection that is idle for five seconds.
IDLE_SECONDS = 4.0
# A call that may not be repeated gets a new connection sooner: a closed one would leave open whether it was answered.
IDLE_SECONDS_BEFORE_CHARGE = 1.0
RETRY_PAUSE_SECONDS = 0.5


class FramesError(Exception):
    """A refusal of the API, or a failure on the way to it.

    `code` is the code of the API, such as "invalid_point"; "unreachable" where no answer came, "unexpected" where
    the answer was not the API's, and "index_changed" where an import put another index in place between two pages. `status` is the HTTP status, None where no answer came. `request_id` names the call
    in the log of the service.
    """

    def __init__(self, code: str, message: str, *, status: Optional[int] = None, request_id: Optional[str] = None):
        super().__init__(message)
        self.code = code
        self.message = message
        self.status = status
        self.request_id = request_id

    def __str__(self) -> str:
        request = "" if self.request_id is None else f", request {self.request_id}"
        return f"{self.message} ({self.code}{request})"


@dataclass(frozen=True)
class RawAnswer:
    status: int
    headers: Mapping[str, str]
    body: bytes


class Transport:
    """One connection to the service. It is not for several threads at once: each takes a client of its own."""

    def __init__(self, url: str, key: str, *, timeout: float, max_wait: float) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.username:
            raise ValueError("url: an address such as https://frames.example.org is accepted.")
        if parts.path.rstrip("/").endswith("/v1"):
            raise ValueError("url: the address without /v1 is accepted; the calls add it.")
        if not isinstance(key, str) or not re.fullmatch(r"[\x21-\x7e]+", key):
            raise ValueError("key: the secret of a key is accepted, svc_sk_ and 36 characters.")
        self._is_secure = parts.scheme == "https"
        self._host = parts.hostname
        self._port = parts.port
        self._base = parts.path.rstrip("/")
        self._key = key
        self._timeout = timeout
        self._max_wait = max_wait
        # An address without TLS is called directly: a proxy would read the key.
        self._proxy: Optional[Proxy] = proxy_for(parts.hostname, parts.port) if self._is_secure else None
        self._connection: Optional[http.client.HTTPConnection] = None
        self._used_at = 0.0
        # X-Index-Generation of the last answer, where it has one.
        self.generation: Optional[str] = None

    def __repr__(self) -> str:
        scheme = "https" if self._is_secure else "http"
        port = "" if self._port is None else f":{self._port}"
        return f"{scheme}://{self._host}{port}{self._base}"

    def call(self, method: str, path: str, body: Optional[object] = None, *, repeatable: bool = True) -> Any:
        """Answers with the data of the API. A call that may charge or count is not repeatable."""
        waited = 0.0
        has_retried = False
        while True:
            try:
                answer = self._send(method, path, body, repeatable)
            except (OSError, http.client.HTTPException) as error:
                self.close()
                reason = str(error) or type(error).__name__
                if not repeatable or has_retried:
                    raise FramesError("unreachable", f"{self!r} does not answer: {reason}.") from error
                has_retried = True
                logger.warning("%s: %s; trying once more", path.split("?")[0], reason)
                time.sleep(RETRY_PAUSE_SECONDS)
                continue
            if path == "/mcp" and answer.status == 200:
                answer = _answer_of_tool(answer)
            if answer.status == 429:
                waited += self._wait(answer, waited)
            elif answer.status >= 500 and repeatable and not has_retried:
                has_retried = True
                logger.warning("%s: status %d; trying once more", path.split("?")[0], answer.status)
                time.sleep(RETRY_PAUSE_SECONDS)
            else:
                self.generation = answer.headers.get("x-index-generation")
                return _data_of(answer)

    def tool(self, name: str, arguments: Mapping[str, object], *, repeatable: bool = True) -> Any:
        """Calls a tool of /mcp: it takes a shape, which is too long for an address."""
        params = {"name": name, "arguments": arguments}
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        return self.call("POST", "/mcp", message, repeatable=repeatable)

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _wait(self, answer: RawAnswer, waited: float) -> float:
        """Waits as long as Retry-After says, by a clock that nobody sets. Answers with the seconds."""
        text = answer.headers.get("retry-after", "")
        seconds = float(max(1, int(text))) if re.fullmatch(r"\d{1,9}", text) else 1.0
        refusal = _error_of(answer)
        if waited + seconds > self._max_wait:
            raise refusal
        logger.info("waiting %d s: %s", seconds, refusal.message)
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            time.sleep(max(0.0, until - time.monotonic()))
        return seconds

    def _send(self, method: str, path: str, body: Optional[object], repeatable: bool) -> RawAnswer:
        idle = time.monotonic() - self._used_at
        if idle > (IDLE_SECONDS if repeatable else IDLE_SECONDS_BEFORE_CHARGE):
            self.close()
        if self._connection is None:
            self._connection = self._connect()
        headers = {
            "Authorization": f"Bearer {self._key}",
            "Accept-Encoding": "gzip",
            "User-Agent": "frames-client-python/1.0.0",
        }
        payload = None
        if body is not None:
            payload = json.dumps(body).encode()
            headers["Content-Type"] = "application/json"
        self._connection.request(method, self._base + path, body=payload, headers=headers)
        response = self._connection.getresponse()
        read = response.read()
        self._used_at = time.monotonic()
        if response.getheader("Content-Encoding") == "gzip":
            read = _unzipped(read)
        return RawAnswer(response.status, {name.lower(): value for name, value in response.getheaders()}, read)

    def _connect(self) -> http.client.HTTPConnection:
        if self._is_secure:
            context = ssl.create_default_context()
            if self._proxy is not None:
                connection = http.client.HTTPSConnection(
                    self._proxy.host, self._proxy.port, timeout=self._timeout, context=context
                )
                connection.set_tunnel(self._host, self._port or http.client.HTTPS_PORT, self._proxy.headers)
                return connection
            return http.client.HTTPSConnection(self._host, self._port, timeout=self._timeout, context=context)
        return http.client.HTTPConnection(self._host, self._port, timeout=self._timeout)


# A refused call of a tool has status 200: these are those of the calls of /v1.
STATUSES = {"rate_limited": 429, "insufficient_scope": 403, "not_found": 404, "internal": 500}


def _answer_of_tool(answer: RawAnswer) -> RawAnswer:
    """The answer as a call of /v1 gives it."""
    parsed = _json_of(answer)
    result = parsed.get("result") if isinstance(parsed, dict) else None
    if not isinstance(result, dict):
        return answer
    if not result.get("isError"):
        return RawAnswer(200, answer.headers, json.dumps({"data": result.get("structuredContent")}).encode())
    meta = result.get("_meta", {})
    error = meta.get("error", {})
    headers = {**answer.headers, "retry-after": str(meta.get("retryAfter", ""))}
    return RawAnswer(STATUSES.get(error.get("code"), 400), headers, json.dumps({"error": error}).encode())


def _unzipped(body: bytes) -> bytes:
    try:
        return gzip.decompress(body)
    except (EOFError, ValueError) as error:
        raise http.client.HTTPException("the answer is cut") from error


def _data_of(answer: RawAnswer) -> Any:
    if answer.status != 200:
        raise _error_of(answer)
    parsed = _json_of(answer)
    if not isinstance(parsed, dict) or not isinstance(parsed.get("data"), (dict, list)):
        raise _unexpected(answer)
    return parsed["data"]


def _error_of(answer: RawAnswer) -> FramesError:
    parsed = _json_of(answer)
    error = parsed.get("error") if isinstance(parsed, dict) else None
    if not isinstance(error, dict) or not isinstance(error.get("code"), str):
        return _unexpected(answer)
    return FramesError(
        error["code"],
        str(error.get("message", "")),
        status=answer.status,
        request_id=answer.headers.get("x-request-id"),
    )


def _unexpected(answer: RawAnswer) -> FramesError:
    return FramesError(
        "unexpected",
        f"The answer, of status {answer.status}, is not the API's: is the address right?",
        status=answer.status,
        request_id=answer.headers.get("x-request-id"),
    )


def _json_of(answer: RawAnswer) -> Any:
    try:
        return json.loads(answer.body)
    except ValueError:
        return None
