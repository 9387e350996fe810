"""Rules of the transport, against a server of this test that answers as it is told."""

from __future__ import annotations

import gzip
import json
import os
import pathlib
import socket
import sys
import threading
import time
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Dict, List, Optional, Tuple
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "src"))

from frames_client import Client, FramesError, transport  # noqa: E402

transport.RETRY_PAUSE_SECONDS = 0.01
KEY = "svc_sk_" + "A" * 36
STATES = {"data": [{"state": "MAREMBE", "frames": 1}]}
NO_RECORDS = {"data": {"frames": [], "charged": ["lyr_a"], "leftOut": []}}

# A status, headers and a body; None hangs up without an answer.
Told = Optional[Tuple[int, Dict[str, str], object]]


def refusal(status: int, code: str, **headers: str) -> Told:
    return status, {"X-Request-Id": "req_1", **headers}, {"error": {"code": code, "message": f"Refused: {code}."}}


class Server:
    def __init__(self, *told: Told) -> None:
        self.asked: List[Tuple[str, str]] = []
        self.connections = 0
        remaining = list(told)
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def setup(self) -> None:
                server.connections += 1
                super().setup()

            def answer(self) -> None:
                self.rfile.read(int(self.headers.get("Content-Length", 0)))
                server.asked.append((self.command, self.path))
                next_told = remaining.pop(0)
                if next_told is None:
                    self.close_connection = True
                    return
                status, headers, body = next_told
                payload = body if isinstance(body, bytes) else json.dumps(body).encode()
                self.send_response(status)
                for name, value in {"Content-Length": str(len(payload)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(payload)

            do_GET = do_POST = answer

            def log_message(self, *_: object) -> None:
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        threading.Thread(target=self.http.serve_forever, args=(0.02,), daemon=True).start()
        self.url = f"http://127.0.0.1:{self.http.server_address[1]}"

    def close(self) -> None:
        self.http.shutdown()
        self.http.server_close()


class ProxyTest(unittest.TestCase):
    """A proxy of this test: it keeps the heads that reach it, and refuses them."""

    def setUp(self) -> None:
        self.heads: List[bytes] = []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(self.listener.close)
        threading.Thread(target=self.listen, daemon=True).start()
        self.proxy = f"127.0.0.1:{self.listener.getsockname()[1]}"

    def listen(self) -> None:
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            with connection:
                self.heads.append(connection.recv(65536))
                connection.sendall(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")

    def environment(self, **variables: str) -> Any:
        return mock.patch.dict(os.environ, variables, clear=True)

    def test_asks_the_proxy_for_a_tunnel_and_never_shows_it_the_key(self) -> None:
        for url, login in ((f"http://{self.proxy}", b""), (f"http://me:p%40ss@{self.proxy}", b"Basic bWU6cEBzcw==")):
            with self.environment(https_proxy=url), self.assertRaises(FramesError) as raised:
                Client("https://frames.example.test", KEY).data(["1"])
            self.assertEqual(raised.exception.code, "unreachable")
            head = self.heads.pop()
            self.assertTrue(head.startswith(b"CONNECT frames.example.test:443 "), head)
            self.assertIn(login, head)
            self.assertNotIn(b"svc_sk_", head)
        self.assertEqual(self.heads, [])

    def test_goes_past_the_proxy_for_a_host_of_no_proxy_and_without_tls(self) -> None:
        every = {"http_proxy": f"http://{self.proxy}", "https_proxy": f"http://{self.proxy}"}
        with self.environment(**every):
            client = Client("http://127.0.0.1:9", KEY)
            self.assertRaises(FramesError, client.data, ["1"])
        with self.environment(no_proxy="127.0.0.1", **every):
            client = Client("https://127.0.0.1:9", KEY)
            self.assertRaises(FramesError, client.data, ["1"])
        self.assertEqual(self.heads, [])

    def test_refuses_a_proxy_that_it_cannot_speak_with(self) -> None:
        with self.environment(https_proxy="socks5://127.0.0.1:1"):
            self.assertRaises(ValueError, Client, "https://frames.example.test", KEY)


class TransportTest(unittest.TestCase):
    def serve(self, *told: Told) -> Server:
        server = Server(*told)
        self.addCleanup(server.close)
        return server

    def client(self, server: Server, **options: Any) -> Client:
        client = Client(server.url, KEY, **options)
        self.addCleanup(client.close)
        return client

    def test_waits_as_long_as_retry_after_says_and_logs_it(self) -> None:
        server = self.serve(refusal(429, "rate_limited", **{"Retry-After": "1"}), (200, {}, STATES))
        client = self.client(server)
        started = time.monotonic()
        with self.assertLogs("frames_client") as logs:
            self.assertEqual(client.states()[0].state, "MAREMBE")
        self.assertGreaterEqual(time.monotonic() - started, 1)
        self.assertIn("waiting 1 s: Refused: rate_limited.", logs.output[0])

    def test_ends_a_walk_where_the_index_changes_between_two_pages(self) -> None:
        frame = {"id": "1", "geometry": {}}
        first = {"data": {"features": [frame], "next": "1"}}
        last = {"data": {"features": [{**frame, "id": "2"}]}}
        for generations, ids in ((("7", "7"), ["1", "2"]), (("7", "8"), None), (("7", "7-8"), None)):
            told = zip(generations, (first, last))
            server = self.serve(*((200, {"X-Index-Generation": now}, page) for now, page in told))
            frames = self.client(server).frames(state="marembe")
            if ids:
                self.assertEqual([each.id for each in frames], ids)
                continue
            with self.assertRaises(FramesError) as raised:
                list(frames)
            self.assertEqual(raised.exception.code, "index_changed")

    def test_names_a_wrong_answer_and_a_wrong_key(self) -> None:
        server = self.serve((200, {}, {"data": None}))
        with self.assertRaises(FramesError) as raised:
            self.client(server).states()
        self.assertEqual(raised.exception.code, "unexpected")
        self.assertRaises(ValueError, Client, server.url, None)

    def test_takes_one_dataset_as_a_text(self) -> None:
        server = self.serve((200, {}, NO_RECORDS))
        self.client(server).data("1", datasets="lyr_urban")
        self.assertEqual(server.asked[0][1], "/v1/frames/data?ids=1&datasets=lyr_urban")

    def test_gives_up_where_the_waits_of_a_call_add_up_to_more_than_max_wait(self) -> None:
        wait = refusal(429, "rate_limited", **{"Retry-After": "1"})
        server = self.serve(wait, wait, wait)
        with self.assertRaises(FramesError) as raised:
            self.client(server, max_wait=1.5).states()
        self.assertEqual((raised.exception.code, raised.exception.status), ("rate_limited", 429))
        self.assertEqual(len(server.asked), 2)
        long = self.serve(refusal(429, "rate_limited", **{"Retry-After": "3600"}))
        with self.assertRaises(FramesError):
            self.client(long).states()

    def test_repeats_a_read_once_after_a_failure(self) -> None:
        for failure in (None, refusal(500, "internal"), (502, {}, b"<html>bad gateway</html>")):
            server = self.serve(failure, (200, {}, STATES))
            self.assertEqual(len(self.client(server).states()), 1)
            twice = self.serve(failure, failure, (200, {}, STATES))
            with self.assertRaises(FramesError) as raised:
                self.client(twice).states()
            self.assertIn(raised.exception.code, ("unreachable", "internal", "unexpected"))
            self.assertEqual(len(twice.asked), 2)

    def test_never_repeats_what_may_have_been_charged(self) -> None:
        for failure in (None, refusal(500, "internal")):
            for call in (lambda each: each.data(["1"]), lambda each: each.ask("How many?", ["1"])):
                server = self.serve(failure, (200, {}, NO_RECORDS))
                with self.assertRaises(FramesError):
                    call(self.client(server))
                self.assertEqual(len(server.asked), 1)
        # A refusal by a bucket charges nothing, and so does a question for the price.
        server = self.serve(refusal(429, "rate_limited", **{"Retry-After": "1"}), (200, {}, NO_RECORDS))
        self.assertEqual(self.client(server).data(["1"]).charged, {"lyr_a": 1})
        priced = {"data": {**NO_RECORDS["data"], "price": {"credits": 2, "datasets": []}}}
        self.assertEqual(self.client(self.serve(None, (200, {}, priced))).data(["1"], price=True).price.credits, 2)

    def test_asks_for_records_by_the_hundred_and_adds_charges_up(self) -> None:
        def answer(*ids: str) -> Told:
            left = [{"layerId": "lyr_b", "name": "B", "reason": "insufficient_credits", "price": 3}]
            records = [{"id": each, "datasets": []} for each in ids]
            return 200, {}, {"data": {"frames": records, "charged": ["lyr_a"], "leftOut": left}}

        server = self.serve(answer("1"), answer("2"), answer("3"))
        data = self.client(server).data(range(250), datasets=["lyr_a", "lyr_b"])
        self.assertEqual([each.id for each in data.frames], ["1", "2", "3"])
        self.assertEqual(data.charged, {"lyr_a": 3})
        self.assertEqual([(each.layer_id, each.price) for each in data.left_out], [("lyr_b", 3)])
        self.assertEqual([path.count("%2C") for _, path in server.asked], [100, 100, 50], "a comma fewer than ids, and one between the datasets")

    def test_keeps_one_connection_and_reads_gzip(self) -> None:
        zipped = gzip.compress(json.dumps(STATES).encode())
        server = self.serve(*[(200, {"Content-Encoding": "gzip"}, zipped)] * 3)
        client = self.client(server)
        for _ in range(3):
            self.assertEqual(client.states()[0].frames, 1)
        self.assertEqual(server.connections, 1)

    def test_names_code_status_and_request_of_a_refusal(self) -> None:
        server = self.serve(refusal(403, "insufficient_scope"), (200, {}, b"hello"), (301, {"Location": "/"}, b""))
        client = self.client(server)
        with self.assertRaises(FramesError) as raised:
            client.states()
        error = raised.exception
        self.assertEqual((error.code, error.status, error.request_id), ("insufficient_scope", 403, "req_1"))
        self.assertEqual(str(error), "Refused: insufficient_scope. (insufficient_scope, request req_1)")
        for _ in range(2):
            with self.assertRaises(FramesError) as raised:
                client.states()
            self.assertEqual(raised.exception.code, "unexpected")

    def test_gives_up_on_a_service_that_is_silent_or_away(self) -> None:
        server = self.serve()
        server.close()
        with self.assertRaises(FramesError) as raised:
            Client(server.url, KEY, timeout=0.5).states()
        self.assertEqual((raised.exception.code, raised.exception.status), ("unreachable", None))

    def test_shows_the_key_nowhere(self) -> None:
        server = self.serve(None, None)
        client = self.client(server)
        with self.assertLogs("frames_client") as logs, self.assertRaises(FramesError) as raised:
            client.states()
        shown = [repr(client), str(client), repr(client.frames(state="a")), repr(raised.exception), *logs.output]
        for text in shown:
            self.assertNotIn(KEY[7:], text)
        for wrong in (KEY + "\r\nX: y", "", KEY + " "):
            with self.assertRaises(ValueError) as refused:
                Client(server.url, wrong)
            self.assertNotIn(KEY[7:], str(refused.exception))

    def test_takes_no_wrong_path_for_a_point_off_the_grid(self) -> None:
        def missing(message: str) -> Told:
            return 404, {}, {"error": {"code": "not_found", "message": message}}

        nothing = missing("There is nothing at /geo/v1/frames/at.")
        client = self.client(self.serve(missing("No frame contains this point."), nothing))
        self.assertIsNone(client.at(1, 2))
        self.assertRaises(FramesError, client.at, 1, 2)

    def test_refuses_arguments_that_make_no_call(self) -> None:
        client = self.client(self.serve())
        for call in (
            lambda: Client("frames.example.org", KEY),
            lambda: Client("https://frames.example.org/geo/v1/", KEY),
            lambda: client.frames(),
            lambda: client.frames(state="a", ids=["1"]),
            lambda: client.frames(lga="b", bbox=(0, 0, 1, 1)),
            lambda: client.frames(state="a", ward="c"),
            lambda: client.data(["1", None]),
            lambda: client.locate([(91, 0)]),
            lambda: list(client.frames(bbox=(0, 0, float("nan"), 1))),
        ):
            self.assertRaises(ValueError, call)
        self.assertEqual(client.locate([]), [])
        self.assertEqual(client.locate([(float("nan"), 1.0)]), [None])
        self.assertEqual(client.data([]).frames, [])


if __name__ == "__main__":
    unittest.main()
