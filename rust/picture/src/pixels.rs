//! Pictures as pixels: read from PNG, made smaller, written as PNG.

use fast_image_resize::images::{TypedImage, TypedImageRef};
use fast_image_resize::pixels::U8x3;
use fast_image_resize::{FilterType, ResizeAlg, ResizeOptions, Resizer};
use std::fmt;
use std::io::Cursor;

/// The most bytes a picture may decode to; the largest screens have 30 million.
const MOST_BYTES: usize = 256 << 20;

/// An opaque picture, three bytes a pixel. Screens have no alpha worth keeping.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pixels {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Red, green and blue of each pixel, row by row.
    pub rgb: Vec<u8>,
}

/// Why there is no picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoPicture(String);

impl fmt::Display for NoPicture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NoPicture {}

impl NoPicture {
    /// For this reason.
    #[must_use]
    pub fn new(why: &str) -> Self {
        Self(why.to_owned())
    }
}

fn because(error: impl fmt::Display) -> NoPicture {
    NoPicture(error.to_string())
}

impl Pixels {
    /// A picture of one colour.
    #[must_use]
    pub fn filled(width: u32, height: u32, colour: [u8; 3]) -> Self {
        Self { width, height, rgb: colour.repeat(width as usize * height as usize) }
    }

    /// Reads a PNG.
    pub fn from_png(bytes: &[u8]) -> Result<Self, NoPicture> {
        let mut decoder = png::Decoder::new(Cursor::new(bytes));
        decoder.set_transformations(png::Transformations::normalize_to_color8());
        // The link and adb see to it that nothing is lost on the way.
        decoder.ignore_checksums(true);
        let mut reader = decoder.read_info().map_err(because)?;
        let size = reader.output_buffer_size().filter(|size| *size <= MOST_BYTES);
        let size = size.ok_or_else(|| NoPicture("the picture is too large".into()))?;
        let mut bytes = vec![0; size];
        let frame = reader.next_frame(&mut bytes).map_err(because)?;
        bytes.truncate(frame.buffer_size());
        let rgb = match frame.color_type {
            png::ColorType::Rgb => bytes,
            png::ColorType::Rgba => {
                bytes.as_chunks::<4>().0.iter().flat_map(|[r, g, b, _]| [*r, *g, *b]).collect()
            }
            png::ColorType::Grayscale => bytes.iter().flat_map(|grey| [*grey; 3]).collect(),
            png::ColorType::GrayscaleAlpha => {
                bytes.as_chunks::<2>().0.iter().flat_map(|[grey, _]| [*grey; 3]).collect()
            }
            png::ColorType::Indexed => {
                return Err(NoPicture("the palette was not resolved".into()));
            }
        };
        Ok(Self { width: frame.width, height: frame.height, rgb })
    }

    /// The same picture in another size.
    pub fn resized(&self, width: u32, height: u32) -> Result<Self, NoPicture> {
        let from = TypedImageRef::<U8x3>::from_buffer(self.width, self.height, &self.rgb)
            .map_err(because)?;
        let mut rgb = vec![0; width as usize * height as usize * 3];
        let mut small =
            TypedImage::<U8x3>::from_buffer(width, height, &mut rgb).map_err(because)?;
        let how = ResizeOptions::new().resize_alg(ResizeAlg::Convolution(FilterType::Lanczos3));
        // For this kind of pixel only: the untyped way brings in the code for all thirteen kinds.
        Resizer::new().resize_typed(&from, &mut small, &how).map_err(because)?;
        Ok(Self { width, height, rgb })
    }

    /// As PNG, written fast.
    pub fn to_png(&self) -> Result<Vec<u8>, NoPicture> {
        let mut bytes = Vec::with_capacity(self.rgb.len() / 8);
        let mut encoder = png::Encoder::new(&mut bytes, self.width, self.height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::Fast);
        let mut writer = encoder.write_header().map_err(because)?;
        writer.write_image_data(&self.rgb).map_err(because)?;
        writer.finish().map_err(because)?;
        Ok(bytes)
    }

    /// Lays a share of a colour over a pixel; beyond the edges nothing happens.
    pub(crate) fn blend(&mut self, x: i32, y: i32, colour: [u8; 3], share: f32) {
        let (Ok(x), Ok(y)) = (u32::try_from(x), u32::try_from(y)) else { return };
        if x >= self.width || y >= self.height {
            return;
        }
        let at = (y as usize * self.width as usize + x as usize) * 3;
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a share of 256 parts, which a float cast holds within a byte's reach"
        )]
        let share = (share.clamp(0.0, 1.0) * 256.0) as u32;
        for (channel, new) in self.rgb[at..at + 3].iter_mut().zip(colour) {
            let mixed = (u32::from(*channel) * (256 - share) + u32::from(new) * share) >> 8;
            *channel = u8::try_from(mixed).unwrap_or(u8::MAX);
        }
    }

    /// How bright a pixel is.
    pub(crate) fn grey(&self, x: usize, y: usize) -> u8 {
        let at = (y * self.width as usize + x) * 3;
        let Some([r, g, b]) = self.rgb.get(at..at + 3).and_then(|pixel| pixel.first_chunk()) else {
            return 0;
        };
        // Weights of the eye, in 1/256.
        let sum = 54 * u32::from(*r) + 183 * u32::from(*g) + 19 * u32::from(*b);
        u8::try_from((sum + 128) >> 8).unwrap_or(u8::MAX)
    }
}

/// A PNG's own size, without reading all of it.
pub fn png_size(bytes: &[u8]) -> Result<(u32, u32), NoPicture> {
    let reader = png::Decoder::new(Cursor::new(bytes)).read_info().map_err(because)?;
    Ok(reader.info().size())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_survives_being_written_and_read() {
        let mut picture = Pixels::filled(40, 30, [1, 2, 3]);
        picture.rgb[300..330].fill(200);
        let png = picture.to_png().unwrap();
        assert_eq!(Pixels::from_png(&png).unwrap(), picture);
        assert_eq!(png_size(&png).unwrap(), (40, 30));
    }

    #[test]
    fn alpha_is_left_out_and_grey_becomes_three_colours() {
        for (kind, bytes, rgb) in [
            (png::ColorType::Rgba, vec![9, 8, 7, 0], vec![9, 8, 7]),
            (png::ColorType::Grayscale, vec![5], vec![5, 5, 5]),
            (png::ColorType::GrayscaleAlpha, vec![5, 1], vec![5, 5, 5]),
        ] {
            let mut out = Vec::new();
            let mut encoder = png::Encoder::new(&mut out, 1, 1);
            encoder.set_color(kind);
            encoder.write_header().unwrap().write_image_data(&bytes).unwrap();
            assert_eq!(Pixels::from_png(&out).unwrap().rgb, rgb, "{kind:?}");
        }
    }

    #[test]
    fn what_is_no_picture_is_said_to_be_none() {
        let png = Pixels::filled(64, 64, [7, 7, 7]).to_png().unwrap();
        for bytes in [&b""[..], b"\x89PNG", b"Capturing failed", &png[..png.len() / 2]] {
            assert!(Pixels::from_png(bytes).is_err());
        }
    }
}
