"""What the API answers, as dataclasses. A member that the API leaves out is None."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Tuple

if TYPE_CHECKING:
    import pandas

BBox = Tuple[float, float, float, float]
Json = Dict[str, Any]


@dataclass(frozen=True)
class Frame:
    """A cell of the grid. `geometry` is GeoJSON. Pages and boxes carry no `bbox` and no `admin`."""

    id: str
    geometry: Json
    bbox: Optional[BBox] = None
    admin: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, given: Json) -> Frame:
        return cls(given["id"], given["geometry"], _bbox(given.get("bbox")), given.get("admin", {}))


@dataclass(frozen=True)
class State:
    state: str
    frames: int
    state_code: Optional[str] = None
    zone: Optional[str] = None
    zone_code: Optional[str] = None

    @classmethod
    def of(cls, given: Json) -> State:
        get = given.get
        return cls(given["state"], given["frames"], get("stateCode"), get("zone"), get("zoneCode"))


@dataclass(frozen=True)
class Lga:
    state: str
    lga: str
    frames: int
    lga_code: Optional[str] = None

    @classmethod
    def of(cls, given: Json) -> Lga:
        return cls(given["state"], given["lga"], given["frames"], given.get("lgaCode"))


@dataclass(frozen=True)
class Ward:
    state: str
    lga: str
    ward: str
    frames: int
    ward_code: Optional[str] = None

    @classmethod
    def of(cls, given: Json) -> Ward:
        return cls(given["state"], given["lga"], given["ward"], given["frames"], given.get("wardCode"))


@dataclass(frozen=True)
class Dataset:
    """What a dataset records on a frame: `values` of a baseline, `features` (GeoJSON) of any other."""

    layer_id: str
    name: str
    category: str
    kind: str
    org_id: str
    values: Optional[Mapping[str, str]] = None
    features: Optional[List[Json]] = None
    truncated: bool = False

    @classmethod
    def of(cls, given: Json) -> Dataset:
        return cls(
            given["layerId"],
            given["name"],
            given["category"],
            given["kind"],
            given["orgId"],
            given.get("values"),
            given.get("features"),
            given.get("truncated", False),
        )


@dataclass(frozen=True)
class FrameRecords:
    """A frame that was asked for, with its records. One that the index does not know has neither bbox nor datasets."""

    id: str
    datasets: List[Dataset]
    bbox: Optional[BBox] = None

    @classmethod
    def of(cls, given: Json) -> FrameRecords:
        return cls(given["id"], [Dataset.of(each) for each in given["datasets"]], _bbox(given.get("bbox")))


@dataclass(frozen=True)
class LeftOut:
    """A dataset that the credits of the organisation did not cover."""

    layer_id: str
    name: str
    reason: str
    price: int

    @classmethod
    def of(cls, given: Json) -> LeftOut:
        return cls(given["layerId"], given["name"], given["reason"], given["price"])


@dataclass(frozen=True)
class PricedDataset:
    layer_id: str
    name: str
    price: int

    @classmethod
    def of(cls, given: Json) -> PricedDataset:
        return cls(given["layerId"], given["name"], given["price"])


@dataclass(frozen=True)
class Price:
    """What all calls together would be charged.

    `datasets` has each dataset that would be charged, with its price for one call. `balance` are the credits that the
    organisation has now, None where nothing has a price.
    """

    credits: int
    datasets: List[PricedDataset]
    balance: Optional[int] = None


@dataclass(frozen=True)
class FrameData:
    """Records on frames, in the order asked.

    A call takes 100 ids, so more ids are several calls, and each of them charges. `charged` counts the calls that
    charged a dataset; with `price=True`, those that would. `left_out` has each dataset that a call left out.
    """

    frames: List[FrameRecords]
    charged: Mapping[str, int]
    left_out: List[LeftOut]
    price: Optional[Price] = None


@dataclass(frozen=True)
class Total:
    """What an attribute adds up to. Numbers are text, exactly as computed.

    `total` is over the whole frames that touch the place. `by_area` takes of each frame the share that lies inside a
    box or a shape; it is None for units and classes. `frame_class` is the commonest class of a category.
    """

    layer_id: str
    attribute: str
    label: str
    summary: str
    recorded: int
    unit: Optional[str] = None
    total: Optional[str] = None
    by_area: Optional[str] = None
    frame_class: Optional[str] = None

    @classmethod
    def of(cls, given: Json) -> Total:
        get = given.get
        return cls(
            given["layerId"],
            given["attribute"],
            given["label"],
            given["summary"],
            given["recorded"],
            get("unit"),
            get("total"),
            get("byArea"),
            get("class"),
        )


@dataclass(frozen=True)
class Totals:
    """The totals of a place. `not_read` are the datasets with a price."""

    frames: int
    km2: str
    km2_inside: Optional[str]
    totals: List[Total]
    not_read: List[str]

    @classmethod
    def of(cls, given: Json) -> Totals:
        totals = [Total.of(each) for each in given["totals"]]
        return cls(given["frames"], given["km2"], given.get("km2Inside"), totals, given["notRead"])

    def to_dataframe(self) -> pandas.DataFrame:
        import pandas

        return pandas.DataFrame([vars(each) for each in self.totals])


@dataclass(frozen=True)
class Facet:
    label: str
    value: str


@dataclass(frozen=True)
class Table:
    """`columns` have a key, a label and perhaps a unit; `rows` have a value for each key, and the id of the frame."""

    columns: List[Json]
    rows: List[Json]

    def to_dataframe(self) -> pandas.DataFrame:
        import pandas

        return pandas.DataFrame(self.rows, columns=[column["key"] for column in self.columns] if self.columns else None)


@dataclass(frozen=True)
class Answer:
    """An answer to a question. Every figure is in `facets`, and its source in the same place of `sources`.

    `confidence` is "exact" where the first facet answers the question, or none was asked; "read" where it does by
    words that a model or a near miss tied to a name; "nearest" where the question is not answered.
    """

    headline: str
    confidence: str
    facets: List[Facet]
    sources: List[Json]
    table: Table
    follow_ups: List[str]
    frame_ids: List[str]
    engine: str
    charged: List[str]
    left_out: List[LeftOut]
    narrative: Optional[str] = None
    notice: Optional[str] = None
    model: Optional[str] = None
    raw: Json = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, given: Json) -> Answer:
        return cls(
            headline=given["headline"],
            confidence=given["confidence"],
            facets=[Facet(each["label"], each["value"]) for each in given["facets"]],
            sources=given["sources"],
            table=Table(given["table"]["columns"], given["table"]["rows"]),
            follow_ups=given["followUps"],
            frame_ids=given["frameIds"],
            engine=given["engine"],
            charged=given["charged"],
            left_out=[LeftOut.of(each) for each in given["leftOut"]],
            narrative=given.get("narrative"),
            notice=given.get("notice"),
            model=given.get("model"),
            raw=given,
        )


def _bbox(given: Optional[List[float]]) -> Optional[BBox]:
    return None if given is None else (given[0], given[1], given[2], given[3])
