"""Finds the proxy that the environment names for a service with TLS: https_proxy and no_proxy, as urllib reads them."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import Dict, Optional
from urllib.parse import unquote, urlsplit
from urllib.request import getproxies, proxy_bypass


@dataclass(frozen=True)
class Proxy:
    """The client asks it for a tunnel to the service: TLS keeps the key from it."""

    host: str
    port: int
    headers: Dict[str, str]


def proxy_for(host: str, port: Optional[int]) -> Optional[Proxy]:
    text = getproxies().get("https")
    if not text or proxy_bypass(host if port is None else f"{host}:{port}"):
        return None
    parts = urlsplit(text if "://" in text else f"http://{text}")
    if parts.scheme != "http" or not parts.hostname:
        raise ValueError("https_proxy: the address of a proxy such as http://proxy.example.org:3128 is accepted.")
    headers = {}
    if parts.username is not None:
        login = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        headers["Proxy-Authorization"] = f"Basic {base64.b64encode(login.encode()).decode()}"
    return Proxy(parts.hostname, parts.port or 80, headers)
