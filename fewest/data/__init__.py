"""Tables with continuous, nominal and unknown values: from frames and files to typed columns."""

from .build import as_table
from .dataset import Dataset
from .generators import generate
from .load import load
from .schema import Schema
from .table import Table

__all__ = ["Dataset", "Schema", "Table", "as_table", "generate", "load"]
