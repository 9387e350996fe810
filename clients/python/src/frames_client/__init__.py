"""Client of the Spatial Frame Index API. It needs the standard library alone; pandas and geopandas are optional."""

from .client import Client
from .frames import Frames
from .model import (
    Answer,
    Dataset,
    Facet,
    Frame,
    FrameData,
    FrameRecords,
    LeftOut,
    Lga,
    Price,
    PricedDataset,
    State,
    Table,
    Total,
    Totals,
    Ward,
)
from .transport import FramesError

__all__ = [
    "Answer",
    "Client",
    "Dataset",
    "Facet",
    "Frame",
    "FrameData",
    "FrameRecords",
    "Frames",
    "FramesError",
    "LeftOut",
    "Lga",
    "Price",
    "PricedDataset",
    "State",
    "Table",
    "Total",
    "Totals",
    "Ward",
]
__version__ = "1.0.0"
