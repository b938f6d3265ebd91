"""Distances and nearest neighbours."""
