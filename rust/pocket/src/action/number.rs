//! Numbers of JSON, which does not tell 5 from 5.0.

use serde::Serializer;

/// Up to here every whole number is exact in JSON's usual reading, a double.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// The whole number that `number` is, if it is one.
pub(crate) fn whole(number: f64) -> Option<i64> {
    // Printing and reading avoids a cast that would hide an overflow.
    let exact = number.fract() == 0.0 && number.abs() <= EXACT;
    exact.then(|| format!("{:.0}", number + 0.0)).and_then(|text| text.parse().ok())
}

/// The shortest text of a number: `5`, not `5.0`.
pub(crate) fn number_text(number: f64) -> String {
    whole(number).map_or_else(|| number.to_string(), |whole| whole.to_string())
}

/// Writes 5.0 as `5`, as it came in.
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes fields by reference")]
pub(super) fn plain<S: Serializer>(number: &f64, to: S) -> Result<S::Ok, S::Error> {
    match whole(*number) {
        Some(whole) => to.serialize_i64(whole),
        None => to.serialize_f64(*number),
    }
}
