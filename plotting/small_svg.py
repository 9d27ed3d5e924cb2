"""Makes an SVG file of matplotlib smaller without a visible change: numbers to a tenth of a point, equal styles as one
class, markers of one look in one group, and no identifiers, metadata or groups that nothing needs."""

import collections
import re
import xml.etree.ElementTree as ElementTree

SVG = "http://www.w3.org/2000/svg"
HREF = "{http://www.w3.org/1999/xlink}href"
NUMBER = re.compile(r"-?\d+\.?\d*(?:e-?\d+)?")
REFERENCE = re.compile(r"url\(#([^)]+)\)")
PLACES = {"d", "x", "y", "width", "height", "points"}  # attributes of lengths in points
INHERITED = ("fill", "stroke")  # beginnings of the properties that a group passes on
TENTHS, THOUSANDTHS = 1, 3  # digits of a place on the page, and of the shape of a marker


def rounded(text, digits):
    """The numbers of an attribute with `digits` after the point, and no blanks that a path can do without."""

    def short(number):
        value = f"{float(number[0]):.{digits}f}"
        value = value.rstrip("0").rstrip(".") if "." in value else value
        return "0" if value in ("-0", "") else value

    text = NUMBER.sub(short, " ".join(text.split()))
    return re.sub(r"(?<=[A-Za-z]) | (?=[A-Za-z])", "", text)


def tag(element):
    return element.tag.split("}")[-1]


def round_numbers(element, digits=TENTHS):
    inner = THOUSANDTHS if tag(element) in ("defs", "pattern", "clipPath") else digits
    for key in PLACES & element.attrib.keys():
        if tag(element) != "svg" and not element.get(key).endswith("%"):
            element.set(key, rounded(element.get(key), digits))
    for child in element:
        round_numbers(child, inner)


def rename_references(root):
    """Shortens the identifiers that are referenced and removes all others."""
    used = {}
    for element in root.iter():
        if HREF in element.attrib:
            element.set("href", element.attrib.pop(HREF))
        found = [element.get("href", "")[1:]] + REFERENCE.findall(" ".join(element.attrib.values()))
        for name in filter(None, found):
            used.setdefault(name, f"i{len(used)}")
    for element in root.iter():
        name = element.attrib.pop("id", None)
        if name in used:
            element.set("id", used[name])
        for key, value in element.attrib.items():
            if key == "href":
                element.set(key, "#" + used[value[1:]])
            else:
                element.set(key, REFERENCE.sub(lambda match: f"url(#{used[match[1]]})", value))


def properties(style):
    return [part.strip().split(":")[0].strip() for part in style.split(";") if part.strip()]


def hoist(element):
    """Moves the style of markers to their group, if it is the style of all of them."""
    for child in element:
        hoist(child)
    styles = {child.get("style") for child in element}
    if tag(element) == "g" and len(element) > 1 and len(styles) == 1 and not element.get("style"):
        style = styles.pop()
        if style and {tag(child) for child in element} == {"use"}:
            if all(name.startswith(INHERITED) for name in properties(style)):
                element.set("style", style)
                for child in element:
                    del child.attrib["style"]


def without_bare_groups(element):
    """Puts the children of groups without an attribute in their place."""
    children = []
    for child in element:
        without_bare_groups(child)
        bare = tag(child) == "g" and not child.attrib
        if bare:
            children += list(child)
        elif not (tag(child) in ("g", "defs") and len(child) == 0):
            children.append(child)
    element[:] = children


def without_turns_of_nothing(root):
    for element in root.iter():
        if re.match(r"rotate\(-?0 ", element.get("transform", "")):
            del element.attrib["transform"]


def class_names():
    letters = "abcdefghijklmnopqrstuvwxyz"
    yield from letters
    for first in letters:
        yield from (first + second for second in letters)


def classes(root):
    """Replaces styles that occur several times by classes. Returns their rules."""
    counts = collections.Counter(element.get("style") for element in root.iter() if element.get("style"))
    names = dict(zip((style for style, count in counts.most_common() if count > 1), class_names()))
    for element in root.iter():
        if element.get("style") in names:
            element.set("class", names[element.attrib.pop("style")])
    return "".join(f".{name}{{{re.sub(': ', ':', style).replace('; ', ';')}}}" for style, name in names.items())


def shrunk(text):
    """The same picture in fewer bytes."""
    ElementTree.register_namespace("", SVG)
    root = ElementTree.fromstring(text)
    for metadata in root.findall(f"{{{SVG}}}metadata"):
        root.remove(metadata)
    rename_references(root)
    round_numbers(root)
    without_turns_of_nothing(root)
    hoist(root)
    without_bare_groups(root)
    rules = classes(root)
    style = next(root.iter(f"{{{SVG}}}style"))
    style.text += rules
    root.attrib.pop("version", None)
    for element in root.iter():
        element.tail = "\n" if element.tail and tag(element) not in ("tspan",) else element.tail
        if tag(element) not in ("text", "tspan", "style", "title") and element.text and not element.text.strip():
            element.text = "\n" if len(element) else None
    return ElementTree.tostring(root, encoding="unicode", short_empty_elements=True).replace(" />", "/>") + "\n"
