"""Measures of orderings: how good the network is that follows from one."""
