"""The API under /api/v1: what may be asked and said (`schemas`, `commands`), and every answer."""
