"""The dice tower: protocol, link, simulator and firmware. Knows only observations and the board."""
