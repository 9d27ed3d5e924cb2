"""An SVG file as part of an HTML page: nothing in it runs, loads, or clashes with another figure."""

import re
import xml.etree.ElementTree as ElementTree
from html import escape

DRAWN = frozenset(
    "svg g defs path rect circle ellipse line polyline polygon text tspan use clipPath linearGradient radialGradient stop "
    "marker pattern mask symbol title desc".split()
)
VOID_OF_IDS = re.compile(r"url\(\s*['\"]?(#?)([^)'\"]*)['\"]?\s*\)")


class NotDrawable(Exception):
    pass


def _local(name):
    return name.rsplit("}", 1)[-1]


def _attribute(name, value, prefix):
    """Returns the attribute as written to the page; None if it could load or run something."""
    name = _local(name)
    if name.lower().startswith("on"):
        return None
    if name == "id":
        return name, f"{prefix}-{value}"
    if name == "href":
        return (name, f"#{prefix}-{value[1:]}") if value.startswith("#") else None
    if "url(" in value.lower():
        value = VOID_OF_IDS.sub(lambda match: f"url(#{prefix}-{match[2]})" if match[1] else "none", value)
    if "url(" in value.lower().replace(f"url(#{prefix}-", "") or "\\" in value or "@import" in value.lower():
        return None
    return name, value


def _write(element, prefix, parts):
    name = _local(element.tag) if isinstance(element.tag, str) else ""
    if name not in DRAWN:
        return
    attributes = [_attribute(key, value, prefix) for key, value in element.attrib.items()]
    text = "".join(f' {key}="{escape(value)}"' for key, value in filter(None, attributes))
    parts.append(f"<{name}{text}>")
    parts.append(escape(element.text or "", quote=False).strip("\n "))
    for child in element:
        _write(child, prefix, parts)
        parts.append(escape(child.tail or "", quote=False).strip("\n "))
    parts.append(f"</{name}>")


def inline(path, prefix, label):
    """The file's <svg> with every id behind `prefix`, as wide as drawn, less if the place is narrower, but never so
    narrow that its words cannot be read; `label` is what a screen reader says. Elements that do not draw (scripts, styles,
    metadata, foreign content) are left out. NotDrawable names the file without its folder, which is gone by then."""
    try:
        root = ElementTree.parse(path).getroot()
    except (OSError, ElementTree.ParseError) as error:
        raise NotDrawable(f"{path.name}: {getattr(error, 'strerror', None) or error}; accepted: an SVG file") from None
    if _local(root.tag) != "svg":
        raise NotDrawable(f"{path.name}: found <{_local(root.tag)}>; accepted: an SVG file")
    width = root.attrib.pop("width", "")
    root.attrib.pop("height", "")
    root.attrib.update({"role": "img", "aria-label": label})
    if re.fullmatch(r"[0-9.]+(pt|px)?", width):
        length = width if width[-1].isalpha() else f"{width}px"
        root.set("style", f"width:{length};min-width:min(30rem,{length})")
    # Matplotlib sets these in a style sheet, which would apply to the whole page.
    root.attrib.update({"stroke-linejoin": "round", "stroke-linecap": "butt"})
    parts = []
    _write(root, prefix, parts)
    return "".join(parts)
