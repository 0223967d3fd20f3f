"""The networks: one that finds dice and cubes, one that reads a crop."""

from __future__ import annotations

import torch
from torch import nn

from vision.training.fit import block

OUT = 15  # of the die reader: die, six values, tilted, three supports, touches a checker, centre x y, log edge
GEOMETRY = 11  # what the net that tells leaning dice is taught besides: how far, the top face's shape (2), its four corners (8)
WIDTH, CUBE_WIDTH = 32, 24  # channels of the first convolutions; of the cube reader's
CUBE_OUT = 10  # of the cube reader: cube, six numbers, centre x y, log edge


class More(nn.Module):
    """One more convolution, added to what it sees; nothing at first, so that it can be put into a trained network."""

    def __init__(self, n: int) -> None:
        super().__init__()
        self.added = nn.Conv2d(n, n, 3, 1, 1, bias=False)
        self.norm = nn.BatchNorm2d(n)
        nn.init.zeros_(self.norm.weight)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x + self.norm(self.added(x)))


class CropNet(nn.Module):
    """(n, 4, 64, 64) to (n, out), with ``w`` channels at first. Two convolutions are added where the maps are coarse, ``finer`` at each of
    the two steps before."""

    def __init__(self, out: int, w: int = WIDTH, finer: int = 1) -> None:
        super().__init__()
        self.body = nn.Sequential(
            block(4, w, 2),
            block(w, w),
            *(More(w) for _ in range(finer)),
            block(w, 2 * w, 2),
            block(2 * w, 2 * w),
            *(More(2 * w) for _ in range(finer)),
            block(2 * w, 4 * w, 2),
            block(4 * w, 4 * w),
            *(More(4 * w) for _ in range(2)),
            block(4 * w, 32),
        )  # fmt: skip
        self.head = nn.Sequential(
            nn.Flatten(), nn.Dropout(0.2), nn.Linear(32 * 64, 96), nn.ReLU(inplace=True), nn.Dropout(0.1), nn.Linear(96, out)
        )
        self.shape = nn.Linear(96, 2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(self.body(x))

    def shaped(self, x: torch.Tensor) -> torch.Tensor:
        """(n, out + 2), in training: the top face's shape besides. A net that has to tell it looks at the outline, and so tells better
        what is tilted."""
        hidden = self.head[:-1](self.body(x))
        return torch.cat([self.head[-1](hidden), self.shape(hidden)], 1)


class LeanNet(nn.Module):
    """(n, 4, 96, 96) to (n, 1): whether a die leans. It begins as `CropNet` does and can be given its weights, but sees more of what lies
    about the die."""

    def __init__(self) -> None:
        super().__init__()
        self.body = CropNet(OUT).body
        self.down = block(32, 48, 2)
        self.head = nn.Sequential(nn.Flatten(), nn.Dropout(0.2), nn.Linear(48 * 36, 96), nn.ReLU(inplace=True), nn.Dropout(0.1))
        self.lean = nn.Linear(96, 1)
        self.geometry = nn.Linear(96, GEOMETRY)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.lean(self.head(self.down(self.body(x))))

    def taught(self, x: torch.Tensor) -> torch.Tensor:
        """(n, 1 + `GEOMETRY`), in training: besides, by how much it leans, the top face's shape, and where its corners are."""
        hidden = self.head(self.down(self.body(x)))
        return torch.cat([self.lean(hidden), self.geometry(hidden)], 1)


class FindNet(nn.Module):
    """(n, 3, h, w) in 0..1 to (n, 3, h/4, w/4): die and cube logits and the log of the edge by the standard one. Most is worked out on maps
    an eighth as fine, where a convolution is cheap; its last channels are the four places of each cell."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            block(3, 16, 2), block(16, 32, 2), block(32, 64, 2), *(More(64) for _ in range(5)), nn.Conv2d(64, 12, 1), nn.PixelShuffle(2),
        )  # fmt: skip
        for layer in self.body:
            if isinstance(layer, More):
                nn.init.constant_(layer.norm.weight, 0.5)
        nn.init.constant_(self.body[-2].bias, -3.0)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.body(x)
