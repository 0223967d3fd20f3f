"""The recorded game that `referee demo` plays, and what the people at that table said and pressed."""
