"""SVG as pixels, by resvg (the extra ``render``); loaded only when a frame is asked for.

The fonts in ``fonts/`` are used instead of the system's: frames are the same everywhere, have words on
machines without fonts, and no time goes into a search for them.
"""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import numpy.typing as npt

_FONTS = [str(path) for path in sorted((Path(__file__).parent / "fonts").glob("*.ttf"))]


def png(svg: str, width: int | None = None) -> bytes:
    """The picture as a PNG file, ``width`` pixels wide (by default its natural size).

    Raises
    ------
    ImportError
        Without the extra ``render``.
    """
    try:
        import resvg_py
    except ImportError:
        raise missing("frames need resvg") from None
    return resvg_py.svg_to_bytes(
        svg_string=svg, width=width, skip_system_fonts=True, font_files=_FONTS
    )


def frame(svg: str, width: int | None = None) -> npt.NDArray[np.uint8]:
    """The picture as (height, width, 3) uint8; both even, as video encoders want them."""
    data = png(svg, width)
    from PIL import Image

    pixels = np.asarray(Image.open(io.BytesIO(data)).convert("RGB"))
    height, wide = pixels.shape[0] // 2 * 2, pixels.shape[1] // 2 * 2
    return np.array(pixels[:height, :wide])


def missing(what: str) -> ImportError:
    """The error for a package of the extra ``render`` that is not installed."""
    return ImportError(f"{what}: pip install 'tabletop-env[render]'")
