"""Reads checkers: strips of the picture (`strips`, `input`), what nets say of them (`looks`, `net`), and what that comes to (`answer`)."""
