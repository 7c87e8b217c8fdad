"""What people see on a terminal. Knows trees, findings and colours; reads nothing and decides nothing."""
