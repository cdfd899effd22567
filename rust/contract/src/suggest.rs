//! "Did you mean": the nearest of a list of names.

/// The name nearest to `typed`, when it is near enough that a person would have meant it:
/// three quarters of the letters in place, or a beginning of it of four letters and more.
#[must_use]
pub fn nearest<'a>(typed: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let typed = typed.to_lowercase();
    names
        .into_iter()
        .map(|name| (closeness(&typed, &name.to_lowercase()), name))
        .filter(|(closeness, _)| *closeness >= 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name)
}

fn closeness(typed: &str, name: &str) -> f64 {
    // Separators are the most common slip: time_out_ms, timeout-ms, timeoutMs.
    let bare = |text: &str| text.replace(['_', '-'], "");
    let (typed, name) = (bare(typed), bare(name));
    if typed.chars().count() >= 4 && name.starts_with(&typed) {
        return 0.9;
    }
    strsim::normalized_damerau_levenshtein(&typed, &name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_forgiven_and_a_stranger_is_not() {
        let names = ["timeoutMs", "matcher", "durationMs"];
        assert_eq!(nearest("time_out_ms", names), Some("timeoutMs"));
        assert_eq!(nearest("mather", names), Some("matcher"));
        assert_eq!(nearest("duration", names), Some("durationMs"));
        assert_eq!(nearest("zebra", names), None);
    }
}
