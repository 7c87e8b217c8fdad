"""How a tree is found in a fabric: roles of switches, leaf groups, tiers, tops. Structure only; names are read nowhere."""
