"""What is accepted of what is seen: readings settle (`settle`), and phase by phase (`consider`) events follow. Pure."""
