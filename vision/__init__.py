"""The eyes: camera, board finder, dice, checker and cube readers. Knows only observations and the board."""

import os

# What OpenCV asks for when it is loaded, or when it first opens a camera.
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")  # a source that cannot be opened is said once, by us
os.environ.setdefault("OPENCV_VIDEOIO_MSMF_ENABLE_HW_TRANSFORMS", "0")  # Windows takes up to a minute for some webcams otherwise
os.environ.setdefault("OPENCV_AVFOUNDATION_SKIP_AUTH", "1")  # macOS asks whether we may by itself; OpenCV can only from the main thread
