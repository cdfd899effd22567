//! Finding skills by words: exact words first, beginnings and parts after, guesses last.

use crate::registry::{Found, Registries, Skill};

/// What is looked for; everything that is given must fit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// Words of a person.
    pub words: Option<String>,
    /// The Android package, exactly.
    pub app: Option<String>,
    /// The intent, exactly.
    pub intent: Option<String>,
}

/// What was found, the best first; of equals, that of the earlier place in its registry.
#[derive(Clone, Debug)]
pub struct Hits<'a> {
    /// The skills.
    pub skills: Vec<Found<'a>>,
    /// No skill has the words; these have words that look alike.
    pub guessed: bool,
}

/// How well words fit a skill. The figures are only an order, with room between.
mod rank {
    pub(super) const KEYWORD: u32 = 600;
    pub(super) const WORDS_OF_A_KEYWORD: u32 = 550;
    pub(super) const NAME: u32 = 500;
    pub(super) const INTENT: u32 = 475;
    pub(super) const WORDS_OF_A_NAME: u32 = 450;
    pub(super) const WORDS_OF_THE_INTENT: u32 = 425;
    pub(super) const PART_OF_A_KEYWORD: u32 = 400;
    pub(super) const PART_OF_THE_INTENT: u32 = 350;
    pub(super) const PART_OF_A_NAME: u32 = 300;
    pub(super) const PART_OF_THE_SUMMARY: u32 = 100;
    pub(super) const WORDS_OF_THE_SUMMARY: u32 = 90;
    pub(super) const NONE: u32 = 0;
}

/// How alike two words must be to be a guess: one slip in a word of four letters.
const ALIKE: f64 = 0.75;

/// Looks through the skills that count.
#[must_use]
pub fn search<'a>(registries: &'a Registries, query: &Query) -> Hits<'a> {
    let fits = |found: &Found<'_>| {
        query.app.as_deref().is_none_or(|app| app == found.skill.application_id())
            && query.intent.as_deref().is_none_or(|intent| intent == found.skill.intent())
    };
    let skills: Vec<Found<'a>> = registries.skills().into_iter().filter(fits).collect();
    let Some(words) = query.words.as_deref().map(str::trim).filter(|words| !words.is_empty())
    else {
        return Hits { skills, guessed: false };
    };
    let words = words.to_lowercase();
    let ranked = sorted(&skills, |skill| f64::from(rank_of(skill, &words)));
    if !ranked.is_empty() {
        return Hits { skills: ranked, guessed: false };
    }
    let guesses = sorted(&skills, |skill| likeness(skill, &words));
    Hits { guessed: !guesses.is_empty(), skills: guesses }
}

fn sorted<'a>(skills: &[Found<'a>], rank: impl Fn(&Skill) -> f64) -> Vec<Found<'a>> {
    let ranked = skills.iter().map(|found| (rank(found.skill), *found));
    let mut ranked: Vec<_> = ranked.filter(|(rank, _)| *rank > 0.0).collect();
    // Stable: equals stay in the registry's order.
    ranked.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    ranked.into_iter().map(|(_, found)| found).collect()
}

/// The words of a text: what is between everything that is no letter and no digit.
fn tokens(text: &str) -> Vec<&str> {
    text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).collect()
}

fn rank_of(skill: &Skill, words: &str) -> u32 {
    let wanted = tokens(words);
    let has_all = |text: &str| {
        let has = tokens(text);
        !wanted.is_empty() && wanted.iter().all(|word| has.contains(word))
    };
    let keywords: Vec<String> = skill.keywords().map(str::to_lowercase).collect();
    let names = [skill.id().to_lowercase(), skill.application_id().to_lowercase()];
    let intent = skill.intent().to_lowercase();
    let summary = skill.summary().to_lowercase();
    let ranks = [
        (rank::KEYWORD, keywords.iter().any(|keyword| keyword == words)),
        (rank::WORDS_OF_A_KEYWORD, keywords.iter().any(|keyword| has_all(keyword))),
        (rank::NAME, names.iter().any(|name| name == words)),
        (rank::INTENT, intent == words),
        (rank::WORDS_OF_A_NAME, names.iter().any(|name| has_all(name))),
        (rank::WORDS_OF_THE_INTENT, has_all(&intent)),
        (rank::PART_OF_A_KEYWORD, keywords.iter().any(|keyword| keyword.contains(words))),
        (rank::PART_OF_THE_INTENT, intent.contains(words)),
        (rank::PART_OF_A_NAME, names.iter().any(|name| name.contains(words))),
        (rank::PART_OF_THE_SUMMARY, summary.contains(words)),
        (rank::WORDS_OF_THE_SUMMARY, has_all(&summary)),
    ];
    ranks.into_iter().find(|(_, fits)| *fits).map_or(rank::NONE, |(rank, _)| rank)
}

/// How alike the words are to those of the skill: each word to its nearest, and the least alike of
/// them counts.
fn likeness(skill: &Skill, words: &str) -> f64 {
    let texts = [skill.id(), skill.intent(), skill.summary()];
    let all = texts.into_iter().chain(skill.keywords()).map(str::to_lowercase).collect::<Vec<_>>();
    let known: Vec<&str> = all.iter().flat_map(|text| tokens(text)).collect();
    let nearest = |word: &&str| {
        let alike = known.iter().map(|known| strsim::normalized_damerau_levenshtein(word, known));
        alike.fold(0.0, f64::max)
    };
    let least = tokens(words).iter().map(nearest).fold(f64::INFINITY, f64::min);
    if (ALIKE..=1.0).contains(&least) { least } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::Places;
    use crate::scratch;
    use serde_json::{Value, json};
    use std::fs;

    fn registries(skills: Vec<Value>) -> (scratch::Scratch, Registries) {
        let root = scratch::folder("search");
        fs::create_dir_all(root.join("skills")).unwrap();
        let path = root.join("skills/skills-registry.json");
        let registry = json!({"schemaVersion": "1.0", "generatedAt": "2026-01-01T00:00:00Z", "skills": skills});
        fs::write(&path, registry.to_string()).unwrap();
        let loaded = Places::resolve(&[path], None, None).load().unwrap();
        assert!(loaded.problems().next().is_none(), "{:?}", loaded.problems().collect::<Vec<_>>());
        (root, loaded)
    }

    fn entry(id: &str, summary: &str, keywords: &[&str]) -> Value {
        let (app, intent) = id.rsplit_once('.').unwrap();
        let path = format!("skills/{id}");
        let mut entry = json!({
            "id": id, "applicationId": app, "intent": intent, "summary": summary, "path": path,
            "skillFile": format!("{path}/SKILL.md"),
            "scripts": [format!("{path}/scripts/run.ts")], "artifacts": []
        });
        if !keywords.is_empty() {
            entry["keywords"] = json!(keywords);
        }
        entry
    }

    fn some() -> (scratch::Scratch, Registries) {
        registries(vec![
            entry(
                "com.bank.get-balance",
                "Reads how much is left; the battery is not needed.",
                &["money"],
            ),
            entry("com.car.get-battery", "Reads the charge.", &["state of charge", "range"]),
            entry("com.home.battery", "Opens the app.", &[]),
            entry("com.phone.show-power", "Shows the level.", &["battery"]),
            entry("org.battery.open", "Opens it.", &[]),
        ])
    }

    fn ids(registries: &Registries, words: &str) -> Vec<String> {
        let query = Query { words: Some(words.into()), ..Query::default() };
        let hits = search(registries, &query);
        hits.skills.iter().map(|found| found.skill.id().to_owned()).collect()
    }

    #[test]
    fn the_best_comes_first_and_equals_keep_their_order() {
        let (_root, all) = some();
        assert_eq!(
            ids(&all, "Battery"),
            [
                "com.phone.show-power", // its keyword
                "com.home.battery",     // its intent
                "com.car.get-battery",  // a word of its id
                "org.battery.open",
                "com.bank.get-balance", // in its summary
            ]
        );
        assert_eq!(ids(&all, "charge state"), ["com.car.get-battery"]);
        assert_eq!(ids(&all, "com.home.battery")[0], "com.home.battery");
        assert_eq!(ids(&all, "ran"), ["com.car.get-battery"]);
        assert_eq!(ids(&all, "left much"), ["com.bank.get-balance"]);
    }

    #[test]
    fn a_slip_is_forgiven_only_where_nothing_else_fits() {
        let (_root, all) = some();
        let query = Query { words: Some("batery".into()), ..Query::default() };
        let hits = search(&all, &query);
        assert!(hits.guessed);
        assert!(hits.skills.iter().any(|found| found.skill.id() == "com.car.get-battery"));
        assert!(ids(&all, "zebra").is_empty());
        assert!(ids(&all, "---").is_empty());
    }

    #[test]
    fn filters_are_exact_and_go_with_words() {
        let (_root, all) = some();
        let query = |words: Option<&str>, app: Option<&str>, intent: Option<&str>| {
            let text = |text: Option<&str>| text.map(str::to_owned);
            let query = Query { words: text(words), app: text(app), intent: text(intent) };
            search(&all, &query).skills.len()
        };
        assert_eq!(query(None, Some("com.car"), None), 1);
        assert_eq!(query(None, Some("com.Car"), None), 0);
        assert_eq!(query(None, None, Some("get-battery")), 1);
        assert_eq!(query(Some("battery"), Some("com.bank"), None), 1);
        assert_eq!(query(Some("money"), Some("com.car"), None), 0);
    }
}
