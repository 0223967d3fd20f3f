"""Reads dice: where they may lie (`find`), what they show (`net`, `looks`, `views`), whether they are dice (`possible`, `set_up`) and how
they lie (`judge`)."""
