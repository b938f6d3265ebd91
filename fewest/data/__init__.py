"""Tables with continuous, nominal and unknown values: from frames and files to typed columns."""

from ._as_table import as_table
from ._dataset import Dataset
from ._discretise import Discretiser
from ._generators import generate
from ._load import load
from ._schema import Schema
from ._table import Table

__all__ = ["Dataset", "Discretiser", "Schema", "Table", "as_table", "generate", "load"]
