"""Reads frames page by page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Callable, Iterator, List

from .model import Frame

if TYPE_CHECKING:
    import geopandas


class Frames:
    """Frames that the API is asked for while they are iterated. Each iteration asks anew."""

    def __init__(self, read: Callable[[], Iterator[Frame]], question: str) -> None:
        self._read = read
        self._question = question

    def __iter__(self) -> Iterator[Frame]:
        return self._read()

    def __repr__(self) -> str:
        return f"Frames({self._question})"

    def to_list(self) -> List[Frame]:
        return list(self)

    def to_geodataframe(self) -> geopandas.GeoDataFrame:
        """A row for each frame: its id, its units where the API sent them, and its shape in WGS 84."""
        import geopandas

        features = [
            {
                "type": "Feature",
                "geometry": frame.geometry,
                "properties": {"frame_id": frame.id, **frame.admin},
            }
            for frame in self
        ]
        if not features:
            return geopandas.GeoDataFrame({"frame_id": []}, geometry=[], crs="EPSG:4326")
        return geopandas.GeoDataFrame.from_features(features, crs="EPSG:4326")
