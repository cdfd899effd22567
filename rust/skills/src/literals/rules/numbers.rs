//! Numbers with a check digit: cards, bank accounts, phones.

use super::{Rule, Seen, has_digits};
use crate::literals::Kind;

pub(super) const RULES: &[Rule] = &[
    Rule {
        kind: Kind::Iban,
        hint: |line| has_digits(line, 8),
        pattern: r"[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?",
        accept: |seen| seen.alone("_-.") && is_iban(seen.text),
    },
    Rule {
        kind: Kind::Card,
        hint: |line| has_digits(line, 13),
        pattern: r"[2-6][0-9]{3}[ -]?[0-9]{4}[ -]?[0-9]{4}[ -]?[0-9]{4}|3[47][0-9]{2}[ -]?[0-9]{6}[ -]?[0-9]{5}",
        accept: card,
    },
    Rule {
        kind: Kind::Imei,
        hint: |line| has_digits(line, 15),
        pattern: r"[0-9]{2}[ -]?[0-9]{6}[ -]?[0-9]{6}[ -]?[0-9]",
        accept: |seen| {
            let digits = seen.digits();
            seen.alone("_-.:,")
                && has_check_digit(&digits)
                && !repeats(&digits)
                && !is_test_card(seen)
        },
    },
];

/// Luhn's rule: every second digit from the right doubled, the sum a multiple of ten.
fn has_check_digit(digits: &[u32]) -> bool {
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(place, &digit)| match place % 2 {
            0 => digit,
            _ => digit * 2 / 10 + digit * 2 % 10,
        })
        .sum();
    sum.is_multiple_of(10)
}

/// Zeros and the like, which the rule above is content with.
fn repeats(digits: &[u32]) -> bool {
    digits.windows(2).filter(|pair| pair[0] != pair[1]).count() < 3
}

/// Cards that exist for tests only.
const TEST_CARDS: &[&str] =
    &["4111111111111111", "4242424242424242", "5555555555554444", "378282246310005"];

fn is_test_card(seen: &Seen<'_>) -> bool {
    let text: String = seen.text.chars().filter(char::is_ascii_digit).collect();
    TEST_CARDS.contains(&text.as_str())
}

fn card(seen: &Seen<'_>) -> bool {
    let digits = seen.digits();
    seen.alone("_-.:,") && !repeats(&digits) && !is_test_card(seen) && has_check_digit(&digits)
}

/// The first four characters to the end, letters as numbers from 10: the rest by 97 is 1.
fn is_iban(text: &str) -> bool {
    let text: String = text.chars().filter(|letter| *letter != ' ').collect();
    if !(15..=34).contains(&text.len()) {
        return false;
    }
    let (head, tail) = text.split_at(4);
    let rest = tail.chars().chain(head.chars()).try_fold(0, |rest, letter| {
        let digit = letter.to_digit(36)?;
        Some(if digit < 10 { (rest * 10 + digit) % 97 } else { (rest * 100 + digit) % 97 })
    });
    rest == Some(1)
}
