"""Where pictures come from, and what must be true of one before it is read: nothing moves, nothing is torn, the lens is in focus."""
