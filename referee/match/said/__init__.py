"""What is accepted of what a person says: each command (`decide`) leads to events, or to a refusal with its reason. Pure."""
