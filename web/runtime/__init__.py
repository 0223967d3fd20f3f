"""The eyes of the service: a camera followed, its board found, its pictures read, and what of it pages and people are told."""
