"""A strategy that cables a few switches and hosts at random, like no administrator would."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.drawing import NDR, UNKNOWN, Drawing

NODES = "h0..h11"


@st.composite
def graphs(draw: st.DrawFn) -> Drawing:
    """Up to 8 switches and 12 hosts; parallel cables, self-loops, silent ends, hosts anywhere, names or none."""
    drawing = Drawing(draw(st.integers(0, 3)))
    switches = drawing.switches(" ".join(f"W{number}" for number in range(draw(st.integers(1, 8)))))
    switch = st.sampled_from(switches)
    speed = st.sampled_from([NDR, NDR, "1xSDR", UNKNOWN])
    drawing.host("h0", draw(switch))
    for host in range(1, draw(st.integers(1, 12))):
        for number, leaf in enumerate(draw(st.lists(switch, max_size=3))):
            text = draw(st.sampled_from(["h{} mlx5_{}", "h{} mlx5_{}", "MT4129 ConnectX7", "localhost mlx5_0"]))
            drawing.adapter(f"h{host}/{number}", leaf, text.format(host, number), speed=draw(speed))
    for _ in range(draw(st.integers(0, 16))):
        drawing.cable(draw(switch), draw(switch), draw(st.sampled_from([1, 1, 2, 5])), draw(speed))
    for key in draw(st.lists(st.sampled_from(sorted(drawing.things)), max_size=2)):
        thing = drawing.things[key]
        if thing.lines:
            del thing.lines[-1]
            thing.muted = True
    return drawing
