"""Trees and their ensembles, trained for every subset on columns prepared once per fold."""
