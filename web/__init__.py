"""The Flask service, its pages, its API and the command line."""
