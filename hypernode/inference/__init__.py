"""How a tree is found in a fabric: roles of switches, leaf groups, tiers, tops. Names decide nothing."""
