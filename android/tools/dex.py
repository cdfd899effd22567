"""The methods of a dex file, Android's form of classes."""

import struct
from dataclasses import dataclass

STATIC = 0x8
NATIVE = 0x100


@dataclass(frozen=True)
class Method:
    owner: str  # com/example/Notes
    name: str
    signature: str  # (ILjava/lang/String;)V
    flags: int

    def __str__(self):
        words = [f"{self.owner}->{self.name}{self.signature}"]
        words += ["static"] if self.flags & STATIC else []
        words += ["native"] if self.flags & NATIVE else []
        return " ".join(words)


def methods(data):
    """All methods that the classes of this file define, in the file's order."""
    if data[:4] != b"dex\n":
        raise ValueError("this is no dex file")
    # From byte 56 on: number and offset of strings, types, prototypes, fields, methods, classes.
    table = struct.unpack_from("<12I", data, 56)
    strings, types, prototypes, _fields, method_ids, classes = zip(table[::2], table[1::2])

    def text(index):
        offset, = struct.unpack_from("<I", data, strings[1] + 4 * index)
        _, offset = uleb(data, offset)
        return data[offset:data.index(b"\0", offset)].decode()

    def type_name(index):
        return text(struct.unpack_from("<I", data, types[1] + 4 * index)[0])

    def signature(index):
        _, result, parameters = struct.unpack_from("<3I", data, prototypes[1] + 12 * index)
        names = []
        if parameters:
            count, = struct.unpack_from("<I", data, parameters)
            names = map(type_name, struct.unpack_from(f"<{count}H", data, parameters + 4))
        return f"({''.join(names)}){type_name(result)}"

    found = []
    for number in range(classes[0]):
        start, = struct.unpack_from("<I", data, classes[1] + 32 * number + 24)
        if not start:
            continue
        sizes = []
        for _ in range(4):
            size, start = uleb(data, start)
            sizes.append(size)
        for _ in range(2 * (sizes[0] + sizes[1])):
            _, start = uleb(data, start)
        for size in sizes[2:]:
            index = 0
            for _ in range(size):
                step, start = uleb(data, start)
                flags, start = uleb(data, start)
                _code, start = uleb(data, start)
                index += step
                owner, prototype, name = struct.unpack_from("<HHI", data, method_ids[1] + 8 * index)
                found.append(Method(type_name(owner)[1:-1], text(name), signature(prototype), flags))
    return found


def uleb(data, offset):
    """A number of variable length, and the offset behind it."""
    value = shift = 0
    while True:
        byte = data[offset]
        value |= (byte & 0x7F) << shift
        offset += 1
        shift += 7
        if byte < 0x80:
            return value, offset
