"""What a 64-bit shared library promises and needs, as Android's linker reads it."""

import struct
from dataclasses import dataclass, field

MACHINES = {183: "arm64-v8a", 62: "x86_64"}
LOAD, DYNAMIC = 1, 2
NEEDED, HASH, STRTAB, SYMTAB, SONAME, TEXTREL = 1, 4, 5, 6, 14, 22
WEAK = 2


@dataclass
class Library:
    abi: str
    soname: str = ""
    needed: list = field(default_factory=list)
    alignments: list = field(default_factory=list)
    exports: set = field(default_factory=set)
    imports: set = field(default_factory=set)
    weak_imports: set = field(default_factory=set)
    text_relocations: bool = False


def library(data):
    """Reads a library. Its symbols are found by its dynamic section, not by its section table."""
    if data[:6] != b"\x7fELF\x02\x01":
        raise ValueError("this is no 64-bit little-endian ELF file")
    machine, = struct.unpack_from("<H", data, 18)
    found = Library(MACHINES.get(machine, f"machine {machine}"))
    segments_at, = struct.unpack_from("<Q", data, 32)
    size, count = struct.unpack_from("<2H", data, 54)
    segments = [struct.unpack_from("<2I6Q", data, segments_at + size * n) for n in range(count)]
    loads = [segment for segment in segments if segment[0] == LOAD]
    found.alignments = [segment[7] for segment in loads]

    def place(address):
        for _, _, offset, start, _, length, _, _ in loads:
            if start <= address < start + length:
                return address - start + offset
        raise ValueError(f"nothing is loaded at {address:#x}")

    dynamic = next(segment for segment in segments if segment[0] == DYNAMIC)
    entries = list(struct.iter_unpack("<2Q", data[dynamic[2]:dynamic[2] + dynamic[5]]))
    one = dict(entries)
    strings = place(one[STRTAB])

    def text(offset):
        return data[strings + offset:data.index(b"\0", strings + offset)].decode()

    found.needed = [text(value) for tag, value in entries if tag == NEEDED]
    found.soname = text(one[SONAME]) if SONAME in one else ""
    found.text_relocations = TEXTREL in one
    # The table of symbols does not say its length, the hash table beside it does.
    _, length = struct.unpack_from("<2I", data, place(one[HASH]))
    table = place(one[SYMTAB])
    for number in range(1, length):
        name, info, _, section = struct.unpack_from("<I2BH", data, table + 24 * number)
        if section:
            found.exports.add(text(name))
        elif info >> 4 == WEAK:
            found.weak_imports.add(text(name))
        else:
            found.imports.add(text(name))
    return found
