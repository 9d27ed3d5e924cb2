"""Warnings that point to the line of the caller outside this package."""

from __future__ import annotations

import os
import sys
import warnings

_FOLDER = os.path.dirname(os.path.abspath(__file__)) + os.sep


def warn(line: str) -> None:
    """Warn with the place of the call that entered this package."""
    level = 1
    frame = sys._getframe()
    while frame.f_back is not None and os.path.abspath(frame.f_code.co_filename).startswith(_FOLDER):
        frame = frame.f_back
        level += 1
    warnings.warn(line, UserWarning, stacklevel=level)
