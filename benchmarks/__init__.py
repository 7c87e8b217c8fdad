"""Measures what hypernode promises about time and memory: ``python -m benchmarks``. Nothing here is a test."""
