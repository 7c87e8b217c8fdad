"""One probe a file: ``parse`` turns a tool's text into observations and is pure. Probes don't know each other."""
