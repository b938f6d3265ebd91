"""Tables that stay where they are: Parquet files, databases, Ibis expressions, lazy frames."""
