"""The calls of the API: every tool by its name, every path, and frames page after page."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Dict, Iterable, Iterator, List, Optional
from urllib.parse import urlencode

from .transport import Answer, FramesError, Transport

if TYPE_CHECKING:
    import geopandas

Json = Dict[str, Any]

FRAMES_OF_TOOL = 200


class Client:
    """Calls the API with a key.

    `timeout`: seconds that the service may be silent. `max_wait`: seconds that one call may wait in all where a bucket
    is empty; the error "rate_limited" follows. The waits go to the logger "frames_client".
    """

    def __init__(self, url: str, key: str, *, timeout: float = 60.0, max_wait: float = 300.0) -> None:
        self._transport = Transport(url, key, timeout=timeout, max_wait=max_wait)

    def __repr__(self) -> str:
        return f"Client({self._transport!r})"

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connection. The next call opens another."""
        self._transport.close()

    def tool(self, name: str, *, idempotency_key: Optional[str] = None, **given: Any) -> Any:
        """Calls a tool. It is charged once, though it is sent again under its idempotency key."""
        return self._post(name, given, idempotency_key).data

    def get(self, path: str, **given: Any) -> Any:
        """Reads a path of the API, such as "/tools/key" or "/v1/states"."""
        return self._get(path, given).data

    def enrich(
        self, rows: Any, columns: str, *, price: bool = False, idempotency_key: Optional[str] = None, **names: str
    ) -> Any:
        """Adds columns to rows that have a point, a frame or a unit: "frame,lga,lyr_population.pop_demest26".

        `rows` are dicts, or a DataFrame. The answer has them in `rows`, in their order, with a `reason` where one has no
        place. With `price=True` it says what that would cost. `lat="y"` names a column that is called otherwise.
        """
        table = json.loads(rows.to_json(orient="records")) if hasattr(rows, "to_json") else list(rows)
        asked = urlencode({"columns": columns, **({"price": "true"} if price else {}), **names})
        return self._transport.call("POST", f"/tools/enrich?{asked}", table, idempotency_key).data

    def frames(self, **place: Any) -> Iterator[Json]:
        """The frames of a place, each once, page after page, while they are iterated.

        A place is a unit (`state`, `lga`, `ward`), a box (`bbox=(west, south, east, north)`), a `shape` (WKT, GeoJSON,
        or an object of shapely or geopandas), or at most 100 `ids`. All frames are of one index: where an import puts
        another in place between two pages, the error "index_changed" ends the walk.
        """
        generation: Optional[str] = None
        after: Json = {}
        while True:
            if place.get("shape") is None:
                answer = self._get("/v1/frames", {**place, **after})
            else:
                answer = self._post("frames", {**place, **after, "geometry": True, "limit": FRAMES_OF_TOOL})
            if generation not in (None, answer.generation):
                changed = f"The index changed during the walk, from {generation} to {answer.generation}: ask again."
                raise FramesError("index_changed", changed)
            generation = answer.generation
            page = answer.data
            if isinstance(page, list):
                yield from page
                return
            if page.get("truncated") and "next" not in page and place.get("bbox") is not None:
                # A box has no pages, and a shape has.
                yield from self.frames(shape=_shape_of_box(place["bbox"]))
                return
            yield from page.get("features") or page.get("frames") or []
            if "next" not in page:
                return
            after = {"after": page["next"]}

    def _get(self, path: str, given: Json) -> Answer:
        texts = {name: _text_of(value) for name, value in given.items() if value is not None}
        return self._transport.call("GET", f"{path}?{urlencode(texts)}" if texts else path)

    def _post(self, name: str, given: Json, idempotency_key: Optional[str] = None) -> Answer:
        body = {each: _plain(value) for each, value in given.items() if value is not None}
        return self._transport.call("POST", f"/tools/{name}", body, idempotency_key)


def to_geodataframe(frames: Iterable[Json]) -> geopandas.GeoDataFrame:
    """Frames as a layer: `frame_id`, the units where the API sent them, and the shape in WGS 84."""
    import geopandas

    features = [
        {
            "type": "Feature",
            "geometry": frame["geometry"],
            "properties": {"frame_id": frame["id"], **frame.get("admin", {})},
        }
        for frame in frames
    ]
    if not features:
        return geopandas.GeoDataFrame({"frame_id": []}, geometry=[], crs="EPSG:4326")
    return geopandas.GeoDataFrame.from_features(features, crs="EPSG:4326")


def _plain(value: Any) -> Any:
    """shapely and geopandas give their shapes as GeoJSON under this name."""
    given = getattr(value, "__geo_interface__", value)
    return list(given) if isinstance(given, (tuple, set, range)) else given


def _text_of(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return value
    return ",".join(map(str, value)) if hasattr(value, "__iter__") else str(value)


def _shape_of_box(box: Any) -> str:
    west, south, east, north = box.split(",") if isinstance(box, str) else box
    corners: List[str] = [f"{x} {y}" for x, y in ((west, south), (east, south), (east, north), (west, north))]
    return f"POLYGON(({','.join([*corners, corners[0]])}))"
