"""The client against a real service with the invented country: FRAMES_URL and FRAMES_KEY name it."""

from __future__ import annotations

import os
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "src"))

from frames_client import Client, FramesError  # noqa: E402

try:
    import geopandas
    import pandas
except ImportError:
    geopandas = pandas = None


@unittest.skipUnless("FRAMES_URL" in os.environ, "FRAMES_URL names no service")
class ServiceTest(unittest.TestCase):
    def setUp(self) -> None:
        self.client = Client(os.environ["FRAMES_URL"], os.environ["FRAMES_KEY"])
        self.addCleanup(self.client.close)

    def test_finds_the_frame_of_a_point(self) -> None:
        frame = self.client.at(0.105, 0.205)
        self.assertEqual((frame.id, frame.bbox), ("324378020", (0.2, 0.1, 0.21, 0.11)))
        self.assertEqual(frame.admin["ward"], "LAKE ISLAND")
        self.assertIsNone(self.client.at(50, 3))

    def test_locates_points_in_their_order_on_edges_too(self) -> None:
        cells = [(0.1 + row / 100, 0.2 + column / 100) for row in range(6) for column in range(6)]
        points = [(50.0, 3.0), *cells, (0.105, 0.205), (0.105, 0.205)]
        located = self.client.locate(points)
        one_by_one = [self.client.at(*point) for point in points]
        self.assertEqual(located, [None if frame is None else frame.id for frame in one_by_one])
        self.assertIsNone(located[0])

    def test_locates_a_missing_point_as_none_and_refuses_any_other_that_is_none(self) -> None:
        nan = float("nan")
        missing = [(None, 0.2), (0.1, None), (nan, 0.2), (0.1, nan), (None, None), (nan, 500.0)]
        self.assertEqual(self.client.locate([*missing, (0.105, 0.205)]), [None] * len(missing) + ["324378020"])
        inf = float("inf")
        for wrong in [(95.0, 0.2), (0.1, -180.5), (inf, 0.2), (0.1, -inf), (0.1,), (), (0.1, 0.2, 0.3), "0.1", 0.1, None]:
            with self.assertRaisesRegex(ValueError, r"^locate: point 1: a latitude from -90 to 90"):
                self.client.locate([(0.105, 0.205), wrong])
        with self.assertRaisesRegex(ValueError, r"point 0: .*'north'"):
            self.client.locate([("north", 0.2)])

    def test_reads_units_and_their_frames_page_by_page(self) -> None:
        states = self.client.states()
        self.assertEqual(sum(each.frames for each in states), 12411)
        self.assertEqual(sum(each.frames for each in self.client.lgas()), 12411)
        [marembe] = [each for each in states if each.state == "MAREMBE"]
        self.assertEqual(sum(each.frames for each in self.client.lgas("marembe")), marembe.frames)
        frames = self.client.frames(state="marembe")
        ids = [int(frame.id) for frame in frames]
        self.assertEqual((len(ids), len(set(ids)), ids), (marembe.frames, marembe.frames, sorted(ids)))
        self.assertGreater(len(ids), 5000)
        for ward in self.client.wards("marembe", "lakeside"):
            some = self.client.frames(state=ward.state, lga=ward.lga, ward=ward.ward)
            self.assertEqual(len(some.to_list()), ward.frames)
            self.assertEqual(len(some.to_list()), ward.frames, "a second iteration asks anew")

    def test_reads_a_box_in_quarters_where_it_holds_more_than_an_answer(self) -> None:
        ids = [frame.id for frame in self.client.frames(bbox=(-2, -2, 3, 3))]
        self.assertEqual((len(ids), len(set(ids))), (12411, 12411))

    def test_reads_frames_by_id_with_their_units(self) -> None:
        ids = [frame.id for frame in self.client.frames(state="marembe", lga="lakeside")][:250]
        frames = self.client.frames(ids=ids).to_list()
        self.assertEqual([frame.id for frame in frames], ids)
        self.assertEqual({frame.admin["lga"] for frame in frames}, {"LAKESIDE"})

    def test_reads_records_of_any_number_of_frames(self) -> None:
        ids = [frame.id for frame in self.client.frames(state="marembe", lga="lakeside")][:150]
        data = self.client.data(ids, datasets=["lyr_population"])
        self.assertEqual([each.id for each in data.frames], ids)
        self.assertEqual({dataset.layer_id for each in data.frames for dataset in each.datasets}, {"lyr_population"})
        [records] = self.client.data("322074005").frames
        values = {each.layer_id: each.values for each in records.datasets}
        self.assertEqual(values["lyr_population"]["pop_demest26"], "10782")
        schools = next(each for each in records.datasets if each.layer_id == "lyr_schools")
        self.assertTrue(all(each["type"] == "Feature" for each in schools.features))
        price = self.client.data(ids, price=True).price
        self.assertGreaterEqual(price.credits, 0)

    def test_takes_a_shape_in_every_form(self) -> None:
        ring = [[0.05, 0.05], [0.31, 0.08], [0.22, 0.13], [0.3, 0.33], [0.05, 0.05]]
        wkt = "POLYGON((0.05 0.05,0.31 0.08,0.22 0.13,0.3 0.33,0.05 0.05))"
        ids = [frame.id for frame in self.client.frames(shape=wkt)]
        self.assertGreater(len(ids), 200)
        polygon = {"type": "Polygon", "coordinates": [ring]}
        forms = [polygon, {"type": "Feature", "geometry": polygon, "properties": {}}]
        if geopandas is not None:
            forms.append(geopandas.GeoSeries.from_wkt([wkt]).iloc[0])
            forms.append(geopandas.GeoSeries.from_wkt([wkt]))
        for form in forms:
            self.assertEqual([frame.id for frame in self.client.frames(shape=form)], ids)
        totals = self.client.totals(shape=wkt)
        self.assertEqual(totals.frames, len(ids))
        self.assertLess(float(totals.km2_inside), float(totals.km2))
        [people] = [each for each in totals.totals if each.attribute == "pop_demest26"]
        self.assertLess(float(people.by_area), float(people.total))
        answer = self.client.ask("How many people live here?", shape=wkt)
        self.assertTrue(answer.facets[0].value.replace(",", "").startswith(people.total), answer.facets[0])
        whole = self.client.frames(shape="POLYGON((-2 -2,3 -2,3 3,-2 3,-2 -2))")
        self.assertEqual(len({frame.id for frame in whole}), 12411)

    def test_names_the_place_of_the_fault_of_a_shape(self) -> None:
        crossing = "POLYGON((0 0,0.2 0.2,0.2 0,0 0.2,0 0))"
        for call in (
            lambda: self.client.frames(shape=crossing).to_list(),
            lambda: self.client.totals(shape=crossing),
            lambda: self.client.ask("How many people?", shape=crossing),
        ):
            with self.assertRaisesRegex(FramesError, "self-intersection at lon 0.1, lat 0.1") as raised:
                call()
            self.assertEqual((raised.exception.code, raised.exception.status), ("invalid", 400))
        for wrong in (7, [1], None):
            with self.assertRaises(ValueError):
                self.client.frames(shape=wrong)
        with self.assertRaisesRegex(ValueError, "one of ids and shape"):
            self.client.ask("How many people?")

    def test_asks_a_question(self) -> None:
        answer = self.client.ask("How many people live here?", ["322074005", "322074006"])
        self.assertEqual(answer.headline, "Population, 2026 estimate, total: 20,269 people (2 frames asked).")
        self.assertEqual(answer.confidence, "exact")
        self.assertEqual(self.client.ask("How many unicorns live here?", ["322074005"]).confidence, "nearest")
        self.assertEqual((answer.engine, answer.frame_ids), ("deterministic", ["322074005", "322074006"]))
        self.assertEqual(len(answer.facets), len(answer.sources))
        self.assertEqual(answer.raw["headline"], answer.headline)

    def test_raises_the_error_of_the_api(self) -> None:
        with self.assertRaises(FramesError) as raised:
            self.client.at(95, 0)
        error = raised.exception
        self.assertEqual((error.code, error.status), ("invalid_point", 400))
        self.assertTrue(error.request_id)
        with self.assertRaises(FramesError) as raised:
            Client(os.environ["FRAMES_URL"], "svc_sk_" + "0" * 36).states()
        self.assertEqual((raised.exception.code, raised.exception.status), ("invalid_key", 401))

    @unittest.skipIf(pandas is None, "pandas and geopandas are not installed")
    def test_works_with_tables_and_layers(self) -> None:
        table = pandas.DataFrame({"y": [0.105, None, 50.0], "x": [0.205, 1.0, 3.0]}, index=["a", "b", "c"])
        located = self.client.locate(table, lat="y", lon="x")
        self.assertEqual(located.to_dict(), {"a": "324378020", "b": None, "c": None})
        for names in (("latitude", "Longitude"), ("Lat", "LNG"), ("Y", "X")):
            named = table.rename(columns=dict(zip(("y", "x"), names)))
            self.assertEqual(self.client.locate(named).to_dict(), located.to_dict())
        for options in ({}, {"lat": "north", "lon": "x"}):
            with self.assertRaisesRegex(ValueError, "column .* is needed; the table has n, x"):
                self.client.locate(table.rename(columns={"y": "n"}), **options)
        odd = pandas.DataFrame({"lat": [0.105, pandas.NA, None], "lon": [0.205, 0.2, 0.2]}, dtype="Float64")
        self.assertEqual(self.client.locate(odd).to_list(), ["324378020", None, None])
        with self.assertRaisesRegex(ValueError, "point 1: .*95.0"):
            self.client.locate(pandas.DataFrame({"lat": [0.105, 95.0], "lon": [0.205, 0.2]}))
        layer = self.client.frames(bbox=(0.202, 0.101, 0.218, 0.109)).to_geodataframe()
        self.assertEqual(list(layer["frame_id"]), ["324378020", "324378021"])
        self.assertEqual(layer.crs.to_epsg(), 4326)
        self.assertEqual(layer.geometry.iloc[0].bounds, (0.2, 0.1, 0.21, 0.11))
        self.assertEqual(len(self.client.frames(bbox=(50, 50, 51, 51)).to_geodataframe()), 0)
        answer = self.client.ask("How many people live here?", ["322074005", "322074006"])
        self.assertEqual(len(answer.table.to_dataframe()), 2)


if __name__ == "__main__":
    unittest.main()
