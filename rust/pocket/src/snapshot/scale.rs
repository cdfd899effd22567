//! How large a picture a model takes.

use crate::device::rounded;

/// What decides the size of the picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scaling {
    /// The shorter side has at most 768 pixels.
    #[default]
    ShortSide,
    /// The longer side has at most 1568 pixels: what Claude's models see of a picture.
    LongSide,
}

/// A picture's size, and how many pixels of the screen one of its pixels stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "they say what they are")]
pub struct Scaled {
    pub width: u32,
    pub height: u32,
    pub scale_x: f64,
    pub scale_y: f64,
}

impl Scaling {
    /// What suits a model of this name.
    #[must_use]
    pub fn for_model(name: &str) -> Self {
        let name = name.to_ascii_lowercase();
        let long = ["claude", "anthropic"].iter().any(|maker| name.contains(maker));
        if long { Self::LongSide } else { Self::ShortSide }
    }

    /// The size of a screen's picture. It is never larger than the screen.
    #[must_use]
    pub fn of(self, width: u32, height: u32) -> Scaled {
        let (side, most) = match self {
            Self::ShortSide => (width.min(height), 768),
            Self::LongSide => (width.max(height), 1568),
        };
        if side <= most {
            return Scaled { width, height, scale_x: 1.0, scale_y: 1.0 };
        }
        let ratio = f64::from(most) / f64::from(side);
        let smaller =
            |size: u32| u32::try_from(rounded(f64::from(size) * ratio)).unwrap_or(1).max(1);
        let (small_width, small_height) = (smaller(width), smaller(height));
        Scaled {
            width: small_width,
            height: small_height,
            scale_x: f64::from(width) / f64::from(small_width),
            scale_y: f64::from(height) / f64::from(small_height),
        }
    }
}

/// A coordinate of the screen as one of the picture.
pub(super) fn fitted(at: i32, scale: f64, size: u32) -> i32 {
    let last = i32::try_from(size.saturating_sub(1)).unwrap_or(i32::MAX);
    rounded(f64::from(at) / scale).clamp(0, last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_have_the_sizes_that_models_expect() {
        let (claude, other) = (Scaling::for_model("Claude-X"), Scaling::for_model("gpt"));
        let scaled = |width, height, scale_x, scale_y| Scaled { width, height, scale_x, scale_y };
        for (size, model, expected) in [
            ((1080, 2400), other, scaled(768, 1707, 1.40625, 1.405_975_395_430_58)),
            ((1080, 1920), other, scaled(768, 1365, 1.40625, 1.406_593_406_593_406_7)),
            ((2400, 1080), other, scaled(1707, 768, 1.405_975_395_430_58, 1.40625)),
            ((720, 1600), other, scaled(720, 1600, 1.0, 1.0)),
            (
                (1080, 2400),
                claude,
                scaled(706, 1568, 1.529_745_042_492_917_8, 1.530_612_244_897_959),
            ),
            ((1440, 3120), claude, scaled(724, 1568, 1.988_950_276_243_094, 1.989_795_918_367_347)),
            ((800, 1500), claude, scaled(800, 1500, 1.0, 1.0)),
        ] {
            assert_eq!(model.of(size.0, size.1), expected, "{size:?}");
        }
        assert_eq!(Scaling::for_model("us.ANTHROPIC.x"), Scaling::LongSide);
    }
}
