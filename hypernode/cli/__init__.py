"""The composition root: reads arguments and files, calls the core, prints the answer. Decides nothing about fabrics."""
