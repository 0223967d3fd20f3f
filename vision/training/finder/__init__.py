"""How the board finder is trained."""
