"""The calls of the API."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any, Dict, Iterable, Iterator, List, Optional, Sequence, Set, Tuple, TypeVar
from typing import overload
from urllib.parse import urlencode

from .cover import FramesNearby
from .frames import Frames
from .model import Answer, BBox, Frame, FrameData, FrameRecords, LeftOut, Lga, Price, PricedDataset, State, Totals, Ward
from .prices import quote_after
from .transport import FramesError, Transport

if TYPE_CHECKING:
    import pandas

Point = Tuple[float, float]

IDS_AT_ONCE = 100
FRAMES_OF_TOOL = 200
LAT_COLUMNS = ("lat", "latitude", "y")
LON_COLUMNS = ("lon", "lng", "longitude", "x")
# Degrees. A square of this side has 2,601 cells of 0.01 degrees at most, edges included: an answer carries 5,000.
SQUARE = 0.5
# So many points of a square are asked for one by one; more are found in one box.
POINTS_ONE_BY_ONE = 2
# Degrees. A smaller box that holds more than an answer carries is an error of the service.
SMALLEST_BOX = 1e-4

Item = TypeVar("Item")


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

    def at(self, lat: float, lon: float) -> Optional[Frame]:
        """The frame that contains a point; None off the grid."""
        try:
            return Frame.of(self._get("/v1/frames/at", {"lat": repr(float(lat)), "lon": repr(float(lon))}))
        except FramesError as error:
            # A wrong path is not_found too: its message names the path.
            if error.code == "not_found" and "/frames/at" not in error.message:
                return None
            raise

    @overload
    def locate(self, points: Sequence[Point]) -> List[Optional[str]]: ...

    @overload
    def locate(
        self, points: pandas.DataFrame, *, lat: Optional[str] = ..., lon: Optional[str] = ...
    ) -> pandas.Series[Any]: ...

    def locate(self, points: Any, *, lat: Optional[str] = None, lon: Optional[str] = None) -> Any:
        """The ids of the frames of many points, in their order; None off the grid.

        Takes pairs of latitude and longitude, or a DataFrame, which is answered with a Series of the same index. Its
        columns are lat, latitude or y, and lon, lng, longitude or x, in any case, unless `lat` and `lon` name others.
        Points that lie close together are found by one call.

        A point whose latitude or longitude is missing (None, NaN or pandas.NA) gives None. Any other point that is no
        pair of degrees, from -90 to 90 and from -180 to 180, raises ValueError before the first call.
        """
        if not hasattr(points, "columns"):
            return self._ids_at([_point_of(place, each) for place, each in enumerate(points)])
        import pandas

        columns = [_column_of(points, lat, "lat", LAT_COLUMNS), _column_of(points, lon, "lon", LON_COLUMNS)]
        table = points[columns].astype(object)
        pairs = table.where(table.notna(), None).itertuples(index=False, name=None)
        ids = self._ids_at([_point_of(place, each) for place, each in enumerate(pairs)])
        return pandas.Series(ids, index=points.index, dtype=object, name="frame_id")

    def frames(
        self,
        *,
        state: Optional[str] = None,
        lga: Optional[str] = None,
        ward: Optional[str] = None,
        bbox: Optional[BBox] = None,
        shape: Optional[Any] = None,
        ids: Optional[Iterable[str]] = None,
    ) -> Frames:
        """The frames of a unit, of a box, of a shape, or of ids, each once. Units and shapes come in the order of ids.

        A shape is a polygon or a multipolygon: WKT, GeoJSON as text or as a dict, or an object of shapely.
        """
        if sum(each is not None for each in (state, bbox, shape, ids)) != 1:
            raise ValueError("frames: one of state, bbox, shape and ids is needed.")
        if state is None and (lga is not None or ward is not None) or ward is not None and lga is None:
            raise ValueError("frames: lga goes with state, and ward with both.")
        if ids is not None:
            known = _texts_of(ids)
            return Frames(lambda: self._frames_of_ids(known), f"{len(known)} ids")
        if bbox is not None:
            box = bbox
            return Frames(lambda: self._frames_of_box(box, set(), _Walk(self._transport)), f"bbox={bbox}")
        if shape is not None:
            polygon = _shape_of(shape)
            return Frames(lambda: self._frames_of_shape(polygon), "shape=...")
        unit = {name: value for name, value in (("state", state), ("lga", lga), ("ward", ward)) if value is not None}
        question = ", ".join(f"{name}={value!r}" for name, value in unit.items())
        return Frames(lambda: self._frames_of_unit(unit), question)

    def data(
        self, ids: Iterable[str], *, datasets: Optional[Iterable[str]] = None, price: bool = False
    ) -> FrameData:
        """What datasets record on any number of frames, 100 in a call.

        `datasets` reads and charges these alone; ids that the key cannot read are absent. `price=True` charges nothing:
        it answers what would be charged with the credits that the organisation has now. A call that may charge is never
        repeated after a failure on the way.
        """
        names = [datasets] if isinstance(datasets, str) else datasets
        chosen = {} if names is None else {"datasets": ",".join(names)}
        frames: List[FrameRecords] = []
        charged: Dict[str, int] = {}
        left_out: Dict[str, LeftOut] = {}
        priced: Dict[str, PricedDataset] = {}
        credits = 0
        balance: Optional[int] = None
        for group in _groups(_texts_of(ids), IDS_AT_ONCE):
            asked = {"ids": ",".join(group), **chosen, **({"price": "true"} if price else {})}
            given = self._get("/v1/frames/data", asked, repeatable=price)
            if price:
                given = quote_after(given, credits)
                credits += given["price"]["credits"]
                balance = given["price"].get("balance", balance)
                priced.update((each["layerId"], PricedDataset.of(each)) for each in given["price"]["datasets"])
            frames.extend(FrameRecords.of(each) for each in given["frames"])
            for layer_id in given["charged"]:
                charged[layer_id] = charged.get(layer_id, 0) + 1
            left_out.update((each["layerId"], LeftOut.of(each)) for each in given["leftOut"])
        total = Price(credits, list(priced.values()), balance) if price else None
        return FrameData(frames, charged, list(left_out.values()), total)

    def totals(
        self,
        *,
        state: Optional[str] = None,
        lga: Optional[str] = None,
        ward: Optional[str] = None,
        bbox: Optional[BBox] = None,
        shape: Optional[Any] = None,
    ) -> Totals:
        """What the free datasets add up to over a unit, a box or a shape of any size; without any, over the index."""
        place = {
            "state": state,
            "lga": lga,
            "ward": ward,
            "bbox": None if bbox is None else _corners(bbox),
            "shape": None if shape is None else _shape_of(shape),
        }
        return Totals.of(self._transport.tool("totals", {name: each for name, each in place.items() if each is not None}))

    def ask(
        self,
        question: str,
        ids: Optional[Iterable[str]] = None,
        *,
        shape: Optional[Any] = None,
        format: Optional[str] = None,
    ) -> Answer:
        """An answer about at most 50 frames, or about a shape with any number of them.

        "figures" asks for no words, "report" for sections. Datasets with a price are not read over a shape.
        """
        if (ids is None) == (shape is None):
            raise ValueError("ask: one of ids and shape is needed.")
        body: Dict[str, object] = {"question": question, **({} if format is None else {"format": format})}
        if ids is None:
            return Answer.of(self._transport.tool("ask", {**body, "shape": _shape_of(shape)}, repeatable=False))
        body = {"frameIds": _texts_of(ids), **body}
        return Answer.of(self._transport.call("POST", "/v1/frames/insight", body, repeatable=False))

    def states(self) -> List[State]:
        return [State.of(each) for each in self._get("/v1/states")]

    def lgas(self, state: Optional[str] = None) -> List[Lga]:
        return [Lga.of(each) for each in self._get("/v1/lgas", {} if state is None else {"state": state})]

    def wards(self, state: str, lga: Optional[str] = None) -> List[Ward]:
        unit = {"state": state, **({} if lga is None else {"lga": lga})}
        return [Ward.of(each) for each in self._get("/v1/wards", unit)]

    def _get(self, path: str, parameters: Optional[Dict[str, str]] = None, *, repeatable: bool = True) -> Any:
        query = f"?{urlencode(parameters)}" if parameters else ""
        return self._transport.call("GET", path + query, repeatable=repeatable)

    def _frames_of_unit(self, unit: Dict[str, str]) -> Iterator[Frame]:
        walk = _Walk(self._transport)
        after: Dict[str, str] = {}
        while True:
            page = walk.checked(self._get("/v1/frames", {**unit, **after}))
            yield from map(Frame.of, page["features"])
            if "next" not in page:
                return
            after = {"after": page["next"]}

    def _frames_of_box(self, box: BBox, seen: Set[str], walk: _Walk) -> Iterator[Frame]:
        """A box has no pages: one that holds more than an answer carries is asked for in quarters."""
        page = walk.checked(self._get("/v1/frames", {"bbox": _corners(box)}))
        if not page.get("truncated"):
            for each in page["features"]:
                if each["id"] not in seen:
                    seen.add(each["id"])
                    yield Frame.of(each)
            return
        west, south, east, north = box
        if east - west < SMALLEST_BOX and north - south < SMALLEST_BOX:
            raise FramesError("unexpected", f"The box {_corners(box)} holds too many frames.")
        lon, lat = (west + east) / 2, (south + north) / 2
        lower = ((west, south, lon, lat), (lon, south, east, lat))
        upper = ((west, lat, lon, north), (lon, lat, east, north))
        for quarter in lower + upper:
            yield from self._frames_of_box(quarter, seen, walk)

    def _frames_of_shape(self, shape: object) -> Iterator[Frame]:
        walk = _Walk(self._transport)
        after: Dict[str, str] = {}
        while True:
            asked = {"shape": shape, "geometry": True, "limit": FRAMES_OF_TOOL, **after}
            page = walk.checked(self._transport.tool("frames", asked))
            yield from map(Frame.of, page["frames"])
            if "next" not in page:
                return
            after = {"after": page["next"]}

    def _frames_of_ids(self, ids: List[str]) -> Iterator[Frame]:
        walk = _Walk(self._transport)
        for group in _groups(list(dict.fromkeys(ids)), IDS_AT_ONCE):
            yield from map(Frame.of, walk.checked(self._get("/v1/frames", {"ids": ",".join(group)})))

    def _ids_at(self, points: List[Optional[Point]]) -> List[Optional[str]]:
        squares: Dict[Tuple[int, int], List[Point]] = {}
        for point in dict.fromkeys(points):
            if point is None:
                continue
            lat, lon = point
            squares.setdefault((math.floor(lon / SQUARE), math.floor(lat / SQUARE)), []).append(point)
        found: Dict[Point, Optional[str]] = {}
        for square in squares.values():
            self._locate_square(square, found)
        return [None if point is None else found.get(point) for point in points]

    def _locate_square(self, points: List[Point], found: Dict[Point, Optional[str]]) -> None:
        if len(points) <= POINTS_ONE_BY_ONE:
            for lat, lon in points:
                frame = self.at(lat, lon)
                found[(lat, lon)] = None if frame is None else frame.id
            return
        lats, lons = [lat for lat, _ in points], [lon for _, lon in points]
        page = self._get("/v1/frames", {"bbox": _corners((min(lons), min(lats), max(lons), max(lats)))})
        if page.get("truncated"):
            is_wide = max(lons) - min(lons) > max(lats) - min(lats)
            ordered = sorted(points, key=lambda point: point[1] if is_wide else point[0])
            self._locate_square(ordered[: len(ordered) // 2], found)
            self._locate_square(ordered[len(ordered) // 2 :], found)
            return
        nearby = FramesNearby(map(Frame.of, page["features"]))
        for lat, lon in points:
            found[(lat, lon)] = nearby.id_at(lat, lon)


class _Walk:
    """The answers of one question. They are of one index, or the walk ends with an error."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._generation: Optional[str] = None

    def checked(self, page: Any) -> Any:
        now = self._transport.generation
        if self._generation is not None and now != self._generation:
            raise FramesError(
                "index_changed",
                f"The index changed during the walk, from {self._generation} to {now}: ask again for frames of one index.",
            )
        self._generation = now
        return page


def _point_of(place: int, pair: Any) -> Optional[Point]:
    """None where a coordinate is missing."""
    wrong = ValueError(
        f"locate: point {place}: a latitude from -90 to 90 and a longitude from -180 to 180 are accepted, "
        f"{repr(pair)[:60]} came."
    )
    try:
        lat, lon = (math.nan if each is None else float(each) for each in pair)
    except (TypeError, ValueError):
        raise wrong from None
    if math.isnan(lat) or math.isnan(lon):
        return None
    if not (-90 <= lat <= 90 and -180 <= lon <= 180):
        raise wrong
    return lat, lon


def _groups(items: List[Item], size: int) -> Iterator[List[Item]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]


def _column_of(table: pandas.DataFrame, named: Optional[str], argument: str, usual: Sequence[str]) -> Any:
    if named is not None and named in table.columns:
        return named
    if named is None:
        for name in usual:
            for column in table.columns:
                if str(column).lower() == name:
                    return column
    names = f"{', '.join(usual)}, or {argument}= with its name," if named is None else repr(named)
    raise ValueError(f"locate: a column {names} is needed; the table has {', '.join(map(str, table.columns))}.")


def _texts_of(ids: Iterable[str]) -> List[str]:
    """Whole numbers are accepted as ids too: a column of a table may hold them."""
    texts = [str(each) for each in ([ids] if isinstance(ids, str) else ids)]
    wrong = next((text for text in texts if not re.fullmatch("[0-9]+", text)), None)
    if wrong is not None:
        raise ValueError(f"ids: ids of frames are accepted, digits alone, {wrong[:40]!r} came.")
    return texts


def _shape_of(shape: Any) -> object:
    """shapely and geopandas give their shapes as GeoJSON under this name."""
    given = getattr(shape, "__geo_interface__", shape)
    if isinstance(given, str):
        return given
    if isinstance(given, dict):
        # Tuples become lists, as JSON has them.
        return dict(given)
    raise ValueError("shape: WKT, GeoJSON as text or as a dict, or a shape of shapely is accepted.")


def _corners(box: BBox) -> str:
    corners = [float(corner) for corner in box]
    if len(corners) != 4 or not all(map(math.isfinite, corners)):
        raise ValueError("bbox: west, south, east and north are accepted, four numbers of degrees.")
    return ",".join(map(repr, corners))
