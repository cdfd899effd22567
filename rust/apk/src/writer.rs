//! Writes binary XML, tables of resources and zips, as small as they come. For tests.

#![allow(clippy::unwrap_used, reason = "a test that writes too much fails loudly")]

/// The framework's attributes that the tests write.
const IDS: [(&str, u32); 10] = [
    ("label", 0x0101_0001),
    ("name", 0x0101_0003),
    ("permission", 0x0101_0006),
    ("enabled", 0x0101_000e),
    ("minSdkVersion", 0x0101_020c),
    ("versionCode", 0x0101_021b),
    ("versionName", 0x0101_021c),
    ("targetSdkVersion", 0x0101_0270),
    ("testOnly", 0x0101_0272),
    ("versionCodeMajor", 0x0101_0576),
];

const NONE: u32 = u32::MAX;

/// An element.
pub struct Tag {
    name: &'static str,
    attributes: Vec<(&'static str, Option<&'static str>, u8, u32)>,
    children: Vec<Tag>,
}

/// An element of this name.
#[must_use]
pub fn tag(name: &'static str) -> Tag {
    Tag { name, attributes: Vec::new(), children: Vec::new() }
}

impl Tag {
    /// An attribute of the framework with a typed value.
    #[must_use]
    pub fn attr(mut self, name: &'static str, kind: u8, data: u32) -> Self {
        self.attributes.push((name, None, kind, data));
        self
    }

    /// A text: of the framework, or without a namespace where the framework has no such name.
    #[must_use]
    pub fn text(mut self, name: &'static str, text: &'static str) -> Self {
        self.attributes.push((name, Some(text), 3, 0));
        self
    }

    /// A text without a namespace, such as the package.
    #[must_use]
    pub fn plain(self, name: &'static str, text: &'static str) -> Self {
        self.text(name, text)
    }

    /// The same with an element inside.
    #[must_use]
    pub fn has(mut self, child: Tag) -> Self {
        self.children.push(child);
        self
    }

    fn write(&self, strings: &mut Vec<&'static str>, line: &mut u32, out: &mut Vec<u8>) {
        let mut index = |text: &'static str| -> u32 {
            let at = strings.iter().position(|known| *known == text).unwrap_or_else(|| {
                strings.push(text);
                strings.len() - 1
            });
            at.try_into().unwrap()
        };
        *line += 1;
        let name = index(self.name);
        let count: u16 = self.attributes.len().try_into().unwrap();
        let mut body = words(&[NONE, name]);
        body.extend([20, 20, count, 0, 0, 0].into_iter().flat_map(u16::to_le_bytes));
        for (attribute, text, kind, data) in &self.attributes {
            let of_framework = IDS.iter().any(|(known, _)| known == attribute);
            let space = if of_framework { index("android") } else { NONE };
            let text = text.map(&mut index);
            body.extend(words(&[space, index(attribute), text.unwrap_or(NONE)]));
            body.extend(words(&[8 | u32::from(*kind) << 24, text.unwrap_or(*data)]));
        }
        out.extend(chunk(0x0102, &words(&[*line, NONE]), &body));
        for child in &self.children {
            child.write(strings, line, out);
        }
        out.extend(chunk(0x0103, &words(&[*line, NONE]), &words(&[NONE, name])));
    }
}

/// A document in Android's binary XML, its texts in UTF-8 or UTF-16.
#[must_use]
pub fn xml(root: &Tag, utf8: bool) -> Vec<u8> {
    let mut strings: Vec<_> = IDS.iter().map(|(name, _)| *name).collect();
    let mut elements = Vec::new();
    root.write(&mut strings, &mut 0, &mut elements);
    let mut body = pool(&strings, utf8);
    body.extend(chunk(0x0180, &[], &words(&IDS.map(|(_, id)| id))));
    body.extend(elements);
    chunk(0x0003, &[], &body)
}

/// A table with one package, 0x7f, of one type, 1, in the default configuration; each entry is a
/// kind and its data, the only text has number 0.
#[must_use]
pub fn table(entries: &[(u8, u32)], text: &str) -> Vec<u8> {
    let count: u32 = entries.len().try_into().unwrap();
    let mut body = words(&(0..count).map(|entry| entry * 16).collect::<Vec<_>>());
    for (kind, data) in entries {
        body.extend(words(&[8, 0, 8 | u32::from(*kind) << 24, *data]));
    }
    let mut header = words(&[1, count, 84 + count * 4, 64]);
    header.resize(76, 0);
    let values = chunk(0x0201, &header, &body);
    let mut header = words(&[0x7f]);
    header.resize(280, 0);
    let mut body = pool(&[text], true);
    body.extend(chunk(0x0200, &header, &values));
    chunk(0x0002, &words(&[1]), &body)
}

fn pool(strings: &[&str], utf8: bool) -> Vec<u8> {
    let mut offsets = Vec::new();
    let mut texts: Vec<u8> = Vec::new();
    for text in strings {
        offsets.push(texts.len().try_into().unwrap());
        let units: Vec<u16> = text.encode_utf16().collect();
        if utf8 {
            let encoded: Vec<u8> = units.iter().flat_map(|unit| encode(*unit)).collect();
            texts.extend([units.len(), encoded.len()].map(|size| u8::try_from(size).unwrap()));
            texts.extend(encoded);
            texts.push(0);
        } else {
            texts.extend(u16::try_from(units.len()).unwrap().to_le_bytes());
            texts.extend(units.into_iter().chain([0]).flat_map(u16::to_le_bytes));
        }
    }
    texts.resize(texts.len().next_multiple_of(4), 0);
    let count: u32 = strings.len().try_into().unwrap();
    let mut body = words(&offsets);
    body.extend(texts);
    chunk(0x0001, &words(&[count, 0, u32::from(utf8) << 8, 28 + count * 4, 0]), &body)
}

/// As Android's packager does: each unit for itself, surrogates too.
fn encode(unit: u16) -> Vec<u8> {
    let six = |bits: u16| u8::try_from(bits & 0x3f).unwrap() | 0x80;
    let top = |bits: u16, mark: u8| u8::try_from(bits).unwrap() | mark;
    match unit {
        0..0x80 => vec![top(unit, 0)],
        0x80..0x800 => vec![top(unit >> 6, 0xc0), six(unit)],
        _ => vec![top(unit >> 12, 0xe0), six(unit >> 6), six(unit)],
    }
}

fn chunk(kind: u16, header: &[u8], body: &[u8]) -> Vec<u8> {
    let header_size: u16 = (8 + header.len()).try_into().unwrap();
    let size: u32 = (8 + header.len() + body.len()).try_into().unwrap();
    let mut out = kind.to_le_bytes().to_vec();
    out.extend(header_size.to_le_bytes());
    out.extend(size.to_le_bytes());
    out.extend(header);
    out.extend(body);
    out
}

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// A zip of these files, packed or as they are.
#[must_use]
pub fn zip(files: &[(&str, Vec<u8>)], deflated: bool) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for (name, content) in files {
        let packed = match deflated {
            true => miniz_oxide::deflate::compress_to_vec(content, 6),
            false => content.clone(),
        };
        let at: u32 = out.len().try_into().unwrap();
        // Version, flags, method; time, sum, sizes; sizes of the name and of what is extra.
        let mut fields = words(&[20, if deflated { 8 } else { 0 }]);
        fields.truncate(6);
        fields.extend(words(&[0, crc32fast::hash(content)]));
        fields.extend(words(
            &[packed.len(), content.len(), name.len()].map(|n| n.try_into().unwrap()),
        ));
        out.extend(b"PK\x03\x04");
        out.extend(&fields);
        out.extend(name.as_bytes());
        out.extend(packed);
        directory.extend(b"PK\x01\x02\x14\0");
        directory.extend(fields);
        directory.extend([0; 10]);
        directory.extend(at.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let count: u32 = files.len().try_into().unwrap();
    let sizes = [directory.len(), out.len()].map(|n| u32::try_from(n).unwrap());
    out.extend(directory);
    out.extend(b"PK\x05\x06");
    out.extend(words(&[0, count | count << 16, sizes[0], sizes[1]]));
    out.extend([0; 2]);
    out
}

/// The same APK with a block of signatures of these kinds before its directory. What is in them is
/// nobody's signature: only that they are there.
#[must_use]
pub fn signed(apk: &[u8], kinds: &[u32]) -> Vec<u8> {
    let long = |size: usize| u64::try_from(size).unwrap().to_le_bytes();
    let mut block = Vec::new();
    for kind in kinds {
        block.extend(long(8));
        block.extend(words(&[*kind, 0]));
    }
    let size = long(block.len() + 24);
    block.splice(..0, size);
    block.extend(size);
    block.extend(b"APK Sig Block 42");
    // The end record has no comment; the directory's place is its second last field.
    let end = apk.len() - 22;
    let at: [u8; 4] = apk[end + 16..end + 20].try_into().unwrap();
    let at: usize = u32::from_le_bytes(at).try_into().unwrap();
    let mut out = [&apk[..at], &block, &apk[at..]].concat();
    let moved: u32 = (at + block.len()).try_into().unwrap();
    let end = out.len() - 22;
    out[end + 16..end + 20].copy_from_slice(&moved.to_le_bytes());
    out
}
