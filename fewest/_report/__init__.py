"""From a result to words and pixels."""
