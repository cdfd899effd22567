//! The text view: a tenth of the XML, and nothing that says something is missing.

#[path = "support/screens.rs"]
mod screens;

use clawperator_runtime::snapshot::{text, xml};

#[test]
fn the_text_view_takes_a_tenth_of_the_bytes_of_the_xml() {
    for (name, screen) in screens::named() {
        let (text, xml) = (text::write(&screen), xml::write(&screen));
        println!(
            "{name}: {} nodes, XML {} bytes, text {} bytes, {:.1} %",
            screen.len(),
            xml.len(),
            text.len(),
            text.len() as f64 * 100.0 / xml.len() as f64
        );
        assert!(text.len() * 10 <= xml.len(), "{name}:\n{text}");
    }
}

#[test]
fn every_node_with_a_label_is_in_the_text_view() {
    for (name, screen) in screens::named() {
        let text = text::write(&screen);
        let labelled: Vec<_> = screen.nodes().filter(|node| node.has_label()).collect();
        assert!(labelled.len() >= 15, "{name} is a screen worth looking at");
        for node in labelled {
            let reference = format!("n{}", node.index().0);
            let quoted = format!("\"{}\"", node.label());
            // What stands between this label and the next one belongs to this node.
            let after = text.match_indices(&quoted).map(|(at, _)| &text[at + quoted.len()..]);
            let own = after.filter_map(|rest| rest.split(['"', '\n']).next());
            let named =
                own.flat_map(|own| own.split([' ', ',', ':'])).any(|word| word == reference);
            assert!(named, "{name}: {reference} {:?} is missing in\n{text}", node.label());
        }
    }
}

#[test]
fn what_was_typed_as_a_password_is_in_neither() {
    let form = screens::form();
    for written in [text::write(&form), xml::write(&form)] {
        assert!(written.contains("Password") && !written.contains("correct horse"));
    }
}
