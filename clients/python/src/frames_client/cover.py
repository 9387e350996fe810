"""Finds which of some frames covers a point, as PostGIS does, with the same arithmetic."""

from __future__ import annotations

from math import floor
from typing import Any, Dict, Iterable, List, Optional, Tuple

from .model import Frame

Position = List[float]
Ring = List[Position]


class FramesNearby:
    """Frames in squares as wide as the largest of them: a point is compared with the frames of its square."""

    def __init__(self, frames: Iterable[Frame]) -> None:
        boxes = [(frame, _box_of(frame.geometry)) for frame in frames]
        widest = max((max(east - west, north - south) for _, (west, south, east, north) in boxes), default=0.0)
        self._side = widest or 1.0
        self._squares: Dict[Tuple[int, int], List[Frame]] = {}
        for frame, (west, south, east, north) in boxes:
            for column in range(floor(west / self._side), floor(east / self._side) + 1):
                for row in range(floor(south / self._side), floor(north / self._side) + 1):
                    self._squares.setdefault((column, row), []).append(frame)

    def id_at(self, lat: float, lon: float) -> Optional[str]:
        """The lowest id of the frames that cover the point: a point on a shared edge lies in several."""
        square = (floor(lon / self._side), floor(lat / self._side))
        ids = [frame.id for frame in self._squares.get(square, []) if covers(frame.geometry, lon, lat)]
        return str(min(map(int, ids))) if ids else None


def covers(geometry: Dict[str, Any], x: float, y: float) -> bool:
    """Whether a Polygon or a MultiPolygon has the point inside or on its boundary."""
    return any(_part_covers(rings, x, y) for rings in _parts_of(geometry))


def _parts_of(geometry: Dict[str, Any]) -> List[List[Ring]]:
    coordinates: List[Any] = geometry["coordinates"]
    return coordinates if geometry["type"] == "MultiPolygon" else [coordinates]


def _part_covers(rings: List[Ring], x: float, y: float) -> bool:
    place = _place_in(rings[0], x, y)
    if place <= 0:
        return place == 0
    return all(_place_in(hole, x, y) <= 0 for hole in rings[1:])


def _place_in(ring: Ring, x: float, y: float) -> int:
    """1 inside, 0 on the ring, -1 outside: point_in_ring() of PostGIS."""
    winding = 0
    for (ax, ay), (bx, by) in zip(ring, ring[1:]):
        side = (bx - ax) * (y - ay) - (x - ax) * (by - ay)
        if side == 0 and min(ax, bx) <= x <= max(ax, bx) and min(ay, by) <= y <= max(ay, by):
            return 0
        if ay <= y < by and side > 0:
            winding += 1
        elif by <= y < ay and side < 0:
            winding -= 1
    return -1 if winding == 0 else 1


def _box_of(geometry: Dict[str, Any]) -> Tuple[float, float, float, float]:
    xs = [position[0] for rings in _parts_of(geometry) for position in rings[0]]
    ys = [position[1] for rings in _parts_of(geometry) for position in rings[0]]
    return min(xs), min(ys), max(xs), max(ys)
