use clawperator_simphone::app::App;

const DOCS: &str = include_str!("../../../../docs/simphone-apps.md");

#[test]
fn the_apps_in_the_docs_are_apps() {
    let blocks: Vec<_> =
        DOCS.split("```yaml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert_eq!(blocks.len(), 2);
    for block in blocks {
        let app = App::from_yaml("docs.yaml", block).unwrap_or_else(|error| panic!("{error}"));
        assert!(app.screens.len() > 1);
    }
}

#[test]
fn the_mistake_in_the_docs_is_told_as_the_docs_say() {
    let block = DOCS.split("```yaml\n").nth(1).unwrap().split("```").next().unwrap();
    let error = App::from_yaml("lamp.yaml", &block.replace("summary", "sumary")).unwrap_err();
    let told = DOCS.lines().find(|line| line.starts_with("lamp.yaml:")).unwrap();
    let told = told.trim_end_matches('…').trim_end();
    assert!(error.to_string().starts_with(told), "{error}");
}
