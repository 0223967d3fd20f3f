"""What is shown of a match: snapshots for each audience (`views`), and the sentences in them (`wording`). Pure."""
