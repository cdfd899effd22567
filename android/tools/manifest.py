"""The manifest of an APK, from what `aapt2 dump xmltree` prints."""

import re
from dataclasses import dataclass, field

ELEMENT = re.compile(r"^( *)E: ([\w-]+) \(line=")
ATTRIBUTE = re.compile(r'^ *A: (?:http://schemas\.android\.com/apk/res/android:)?(\w+)(?:\(0x\w+\))?=(.*)$')
TEXT = re.compile(r'^"(.*)" \(Raw: ".*"\)$')


@dataclass
class Element:
    tag: str
    attributes: dict = field(default_factory=dict)
    children: list = field(default_factory=list)

    def all(self, *tags):
        """The elements below this one that have one of these tags."""
        for child in self.children:
            if child.tag in tags:
                yield child
            yield from child.all(*tags)


def read(printed):
    """The root of the printed tree."""
    root = Element("")
    open_elements = [(-1, root)]
    for line in printed.splitlines():
        if element := ELEMENT.match(line):
            depth, made = len(element[1]), Element(element[2])
            while open_elements[-1][0] >= depth:
                open_elements.pop()
            open_elements[-1][1].children.append(made)
            open_elements.append((depth, made))
        elif attribute := ATTRIBUTE.match(line):
            text = TEXT.match(attribute[2])
            open_elements[-1][1].attributes[attribute[1]] = text[1] if text else attribute[2]
    return root.children[0]
