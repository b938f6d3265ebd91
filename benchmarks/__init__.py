"""Speed as ratios, each in one run against what a user would do instead."""
