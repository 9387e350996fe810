"""Client of the Spatial Frame Index API. It needs the standard library alone; pandas and geopandas are optional."""

from .client import Client, to_geodataframe
from .transport import FramesError

__all__ = ["Client", "FramesError", "to_geodataframe"]
__version__ = "1.0.0"
