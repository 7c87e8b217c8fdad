"""Where a job should stand on the HyperNode tree. Knows trees and pods; knows no probe and no cable.

Probes hear, the fabric joins, the tree names, the plan compares, the shell applies, the scheduler places.
"""
