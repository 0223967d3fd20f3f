"""How the checker reader is trained and measured."""
