"""What we tell the cluster: the tree, its names, the plan, the guard, the store. Knows fabrics, knows no cable tool.

Probes hear, the fabric joins, the tree names, the plan compares, the shell applies, the scheduler places.
"""
