"""What Python has for itself: its connection, proxies, and arguments that make no call. test/clients has the rest."""

from __future__ import annotations

import gzip
import json
import os
import pathlib
import socket
import sys
import threading
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Dict, List
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "src"))

from frames_client import Client, FramesError, to_geodataframe, transport  # noqa: E402

try:
    import geopandas
except ImportError:
    geopandas = None

transport.RETRY_PAUSE_SECONDS = 0.01
KEY = "svc_sk_" + "A" * 36
STATES: Dict[str, Any] = {"data": [{"state": "MAREMBE", "frames": 1}]}


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
                Client("https://frames.example.test", KEY).tool("units")
            self.assertEqual(raised.exception.code, "unreachable")
            for head in self.heads:
                self.assertTrue(head.startswith(b"CONNECT frames.example.test:443 "), head)
                self.assertIn(login, head)
                self.assertNotIn(b"svc_sk_", head)
            self.assertEqual(len(self.heads), 2)
            self.heads.clear()

    def test_goes_past_the_proxy_for_a_host_of_no_proxy_and_without_tls(self) -> None:
        every = {"http_proxy": f"http://{self.proxy}", "https_proxy": f"http://{self.proxy}"}
        with self.environment(**every):
            client = Client("http://127.0.0.1:9", KEY)
            self.assertRaises(FramesError, client.tool, "units")
        with self.environment(no_proxy="127.0.0.1", **every):
            client = Client("https://127.0.0.1:9", KEY)
            self.assertRaises(FramesError, client.tool, "units")
        self.assertEqual(self.heads, [])

    def test_refuses_a_proxy_that_it_cannot_speak_with(self) -> None:
        with self.environment(https_proxy="socks5://127.0.0.1:1"):
            self.assertRaises(ValueError, Client, "https://frames.example.test", KEY)


class ConnectionTest(unittest.TestCase):
    def test_keeps_one_connection_and_reads_gzip(self) -> None:
        connections: List[object] = []
        zipped = gzip.compress(json.dumps(STATES).encode())

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def setup(self) -> None:
                connections.append(self)
                super().setup()

            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("Content-Encoding", "gzip")
                self.send_header("Content-Length", str(len(zipped)))
                self.end_headers()
                self.wfile.write(zipped)

            def log_message(self, *_: object) -> None:
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        with Client(f"http://127.0.0.1:{server.server_address[1]}", KEY) as client:
            for _ in range(3):
                self.assertEqual(client.get("/v1/states"), STATES["data"])
        server.shutdown()
        server.server_close()
        self.assertEqual(len(connections), 1)

    def test_shows_the_key_nowhere(self) -> None:
        client = Client("http://127.0.0.1:9", KEY, timeout=0.5)
        with self.assertLogs("frames_client") as logs, self.assertRaises(FramesError) as raised:
            client.get("/v1/states")
        self.assertEqual((raised.exception.code, raised.exception.status), ("unreachable", None))
        for text in [repr(client), str(raised.exception), repr(raised.exception), *logs.output]:
            self.assertNotIn(KEY[7:], text)

    def test_refuses_arguments_that_make_no_client(self) -> None:
        for url, key in (
            ("frames.example.org", KEY),
            ("https://frames.example.org/geo/v1/", KEY),
            ("https://frames.example.org", None),
            *(("https://frames.example.org", wrong) for wrong in (KEY + "\r\nX: y", "", KEY + " ")),
        ):
            with self.assertRaises(ValueError) as refused:
                Client(url, key)
            self.assertNotIn(KEY[7:], str(refused.exception))

    @unittest.skipIf(geopandas is None, "geopandas is not installed")
    def test_gives_frames_as_a_layer(self) -> None:
        ring = [[0, 0], [1, 0], [1, 1], [0, 0]]
        frame = {"id": "7", "geometry": {"type": "Polygon", "coordinates": [ring]}, "admin": {"state": "A"}}
        layer = to_geodataframe([frame])
        self.assertEqual((list(layer["frame_id"]), list(layer["state"]), layer.crs.to_epsg()), (["7"], ["A"], 4326))
        self.assertEqual(len(to_geodataframe([])), 0)


if __name__ == "__main__":
    unittest.main()
