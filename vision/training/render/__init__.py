"""Pictures of backgammon boards that look like photographs, with exact labels.

Runs in an environment of its own with `bpy` (see requirements.txt); `python -m vision.training.render --help`.
Lengths are centimetres in the board frame of `vision.table`; one Blender unit is one centimetre.
"""
