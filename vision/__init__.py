"""The eyes: camera, board finder, dice, checker and cube readers. Knows only observations and the board."""
