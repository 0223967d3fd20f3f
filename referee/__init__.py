"""The game, the rules, the match and its records. Knows no pixels, no serial port and no web framework."""
