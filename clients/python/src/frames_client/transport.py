"""Sends calls on one connection that stays open, waits where a bucket is empty, and repeats a call that failed."""

from __future__ import annotations

import gzip
import http.client
import json
import logging
import re
import ssl
import time
import uuid
from dataclasses import dataclass
from typing import Any, Mapping, Optional
from urllib.parse import urlsplit

from .proxy import Proxy, proxy_for

logger = logging.getLogger("frames_client")

# The service closes a connection that is idle for five seconds.
IDLE_SECONDS = 4.0
RETRY_PAUSE_SECONDS = 0.5


class FramesError(Exception):
    """A refusal of the API, or a failure on the way to it.

    `code` is the code of the API, such as "invalid_point"; "unreachable" where no answer came, "unexpected" where
    the answer was not the API's, and "index_changed" where an import put another index in place between two pages.
    `status` is the HTTP status, None where no answer came. `request_id` names the call in the log of the service.
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
class Answer:
    status: int
    headers: Mapping[str, str]
    body: Any

    @property
    def data(self) -> Any:
        return self.body.get("data") if isinstance(self.body, dict) else None

    @property
    def generation(self) -> Optional[str]:
        return self.headers.get("x-index-generation")

    def as_error(self) -> FramesError:
        error = self.body.get("error") if isinstance(self.body, dict) else None
        if not isinstance(error, dict) or not isinstance(error.get("code"), str):
            message = f"The answer, of status {self.status}, is not the API's: is the address right?"
            error = {"code": "unexpected", "message": message}
        request_id = self.headers.get("x-request-id")
        return FramesError(error["code"], str(error.get("message")), status=self.status, request_id=request_id)


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

    def __repr__(self) -> str:
        scheme = "https" if self._is_secure else "http"
        port = "" if self._port is None else f":{self._port}"
        return f"{scheme}://{self._host}{port}{self._base}"

    def call(
        self, method: str, path: str, body: Optional[object] = None, idempotency_key: Optional[str] = None
    ) -> Answer:
        """Waits where a bucket is empty, and sends the call once more after a failure: it is charged once."""
        key = idempotency_key or str(uuid.uuid4())
        waited = 0.0
        has_retried = False
        while True:
            failure: str
            try:
                answer = self._send(method, path, body, key)
            except (OSError, http.client.HTTPException) as error:
                self.close()
                failure = str(error) or type(error).__name__
                if has_retried:
                    raise FramesError("unreachable", f"{self!r} does not answer: {failure}.") from error
            else:
                if answer.status == 200 and answer.data is not None:
                    return answer
                if answer.status == 429:
                    waited += self._wait(answer, waited)
                    continue
                if answer.status < 500 or has_retried:
                    raise answer.as_error()
                failure = f"status {answer.status}"
            has_retried = True
            logger.warning("%s: %s; trying once more", path.split("?")[0], failure)
            time.sleep(RETRY_PAUSE_SECONDS)

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _wait(self, answer: Answer, waited: float) -> float:
        """Waits as long as Retry-After says, by a clock that nobody sets. Answers with the seconds."""
        text = answer.headers.get("retry-after", "")
        seconds = float(max(1, int(text))) if re.fullmatch(r"\d{1,9}", text) else 1.0
        refusal = answer.as_error()
        if waited + seconds > self._max_wait:
            raise refusal
        logger.info("waiting %d s: %s", seconds, refusal.message)
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            time.sleep(max(0.0, until - time.monotonic()))
        return seconds

    def _send(self, method: str, path: str, body: Optional[object], idempotency_key: str) -> Answer:
        if time.monotonic() - self._used_at > IDLE_SECONDS:
            self.close()
        if self._connection is None:
            self._connection = self._connect()
        headers = {
            "Authorization": f"Bearer {self._key}",
            "Accept-Encoding": "gzip",
            "User-Agent": "frames-client-python/1.0.0",
            "Idempotency-Key": idempotency_key,
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
        sent = {name.lower(): value for name, value in response.getheaders()}
        return Answer(response.status, sent, _json_of(read))

    def _connect(self) -> http.client.HTTPConnection:
        if not self._is_secure:
            return http.client.HTTPConnection(self._host, self._port, timeout=self._timeout)
        context = ssl.create_default_context()
        if self._proxy is None:
            return http.client.HTTPSConnection(self._host, self._port, timeout=self._timeout, context=context)
        connection = http.client.HTTPSConnection(
            self._proxy.host, self._proxy.port, timeout=self._timeout, context=context
        )
        connection.set_tunnel(self._host, self._port or http.client.HTTPS_PORT, self._proxy.headers)
        return connection


def _unzipped(body: bytes) -> bytes:
    try:
        return gzip.decompress(body)
    except (EOFError, ValueError) as error:
        raise http.client.HTTPException("the answer is cut") from error


def _json_of(body: bytes) -> Any:
    try:
        return json.loads(body)
    except ValueError:
        return None
