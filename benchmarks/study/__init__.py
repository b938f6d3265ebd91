"""The study behind the defaults: many methods on many tables, judged on rows left out."""
