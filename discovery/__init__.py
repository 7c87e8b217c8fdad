"""What is cabled to what. Knows probes, cables, switches and hosts; knows no Kubernetes.

Probes hear, the fabric joins, the tree names, the plan compares, the shell applies, the scheduler places.
"""
