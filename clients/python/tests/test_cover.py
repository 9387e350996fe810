"""A point is covered as PostGIS covers it: edges and corners belong to the frame, holes do not."""

from __future__ import annotations

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "src"))

from frames_client.cover import FramesNearby, covers  # noqa: E402
from frames_client.model import Frame  # noqa: E402


def square(west: float, south: float, side: float) -> list:
    east, north = west + side, south + side
    return [[west, south], [east, south], [east, north], [west, north], [west, south]]


class CoverTest(unittest.TestCase):
    def test_edges_and_corners_are_covered(self) -> None:
        shape = {"type": "Polygon", "coordinates": [square(0, 0, 1)]}
        for x, y in ((0, 0), (1, 1), (0.5, 0), (1, 0.5), (0.5, 0.5)):
            self.assertTrue(covers(shape, x, y), (x, y))
        for x, y in ((-0.0001, 0), (1.0001, 1), (2, 0), (0.5, -1), (0.5, 1.5)):
            self.assertFalse(covers(shape, x, y), (x, y))

    def test_a_hole_is_not_covered_and_its_edge_is(self) -> None:
        shape = {"type": "Polygon", "coordinates": [square(0, 0, 3), square(1, 1, 1)[::-1]]}
        self.assertFalse(covers(shape, 1.5, 1.5))
        self.assertTrue(covers(shape, 1, 1.5))
        self.assertTrue(covers(shape, 0.5, 1.5))

    def test_each_part_counts(self) -> None:
        shape = {"type": "MultiPolygon", "coordinates": [[square(0, 0, 1)], [square(5, 5, 1)]]}
        self.assertTrue(covers(shape, 5.5, 5.5))
        self.assertFalse(covers(shape, 3, 3))

    def test_the_lowest_id_answers_as_a_number(self) -> None:
        frames = [
            Frame("100", {"type": "Polygon", "coordinates": [square(0, 0, 1)]}),
            Frame("99", {"type": "Polygon", "coordinates": [square(1, 0, 1)]}),
        ]
        nearby = FramesNearby(frames)
        self.assertEqual([nearby.id_at(0.5, x) for x in (0.5, 1.0, 1.5, 2.5)], ["100", "99", "99", None])
        self.assertIsNone(FramesNearby([]).id_at(0, 0))


if __name__ == "__main__":
    unittest.main()
