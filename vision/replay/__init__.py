"""Clips for the eyes: made from settled pictures whose truth is known, and played back with a report."""
