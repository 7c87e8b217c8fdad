"""Draws fabrics: one source of truth for fixtures, property tests and benchmarks. Knows no clock and no file system."""
