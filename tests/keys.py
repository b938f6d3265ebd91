"""What every saved result holds, whoever writes it."""

RESULT_KEYS = {
    "features",
    "n_features",
    "n_features_in",
    "score",
    "score_std",
    "search",
    "measure",
    "evaluations",
    "generations",
    "seconds",
    "stopped",
    "ties",
    "optimal",
    "seed",
    "version",
}
