//! The host's end: an envelope from lines of the log.

use super::log_lines::{HIERARCHY_MARKER, RESULT_MARKER};
use clawperator_contract::Envelope;
use clawperator_contract::slices::{Arrived, Reassembly};

/// Reads the messages of the log, one by one, until the envelope of one execution is there.
#[derive(Debug)]
pub struct ResultReader {
    command_id: String,
    /// With one, nothing counts but slices that carry it.
    dispatch_id: Option<String>,
    slices: Reassembly,
    hierarchies: Vec<String>,
    open: Option<String>,
}

impl ResultReader {
    /// Waits for the result of this command, sent under this dispatch id if it was.
    #[must_use]
    pub fn new(command_id: &str, dispatch_id: Option<&str>) -> Self {
        Self {
            command_id: command_id.to_owned(),
            dispatch_id: dispatch_id.map(str::to_owned),
            slices: Reassembly::default(),
            hierarchies: Vec::new(),
            open: None,
        }
    }

    /// Takes one message, without what the log puts before it. Answers with the envelope when it
    /// is whole.
    pub fn push(&mut self, message: &str) -> Option<Envelope> {
        if let Some(own) = &self.dispatch_id {
            return match self.slices.push(message) {
                Arrived::Whole { id, text } if id == *own => serde_json::from_str(&text).ok(),
                _ => None,
            };
        }
        if let Some(at) = message.find(RESULT_MARKER) {
            let envelope = serde_json::from_str(message[at + RESULT_MARKER.len()..].trim()).ok()?;
            return self.whole(envelope);
        }
        if message.contains(HIERARCHY_MARKER) {
            self.open = Some(String::new());
            return None;
        }
        if let Some(mut open) = self.open.take() {
            open.push_str(message);
            open.push('\n');
            if message.contains("</hierarchy>") {
                self.hierarchies.push(open);
            } else {
                self.open = Some(open);
            }
            return None;
        }
        match self.slices.push(message) {
            Arrived::Whole { text, .. } => self.whole(serde_json::from_str(&text).ok()?),
            Arrived::Part | Arrived::Nothing => None,
        }
    }

    /// Numbers of the slices that have not come, when some have.
    #[must_use]
    pub fn missing(&self) -> Option<Vec<usize>> {
        self.slices.missing(self.dispatch_id.as_ref().unwrap_or(&self.command_id))
    }

    fn whole(&mut self, mut envelope: Envelope) -> Option<Envelope> {
        if envelope.command_id != self.command_id {
            return None;
        }
        // Snapshots are told in order, but one that was lost must not shift the others: the last
        // step gets the last text.
        let steps = envelope.step_results.iter_mut().rev();
        let waiting = steps.filter(|step| {
            step.success && step.action_type == "snapshot_ui" && !step.data.contains_key("text")
        });
        for (step, text) in waiting.zip(std::mem::take(&mut self.hierarchies).into_iter().rev()) {
            step.data.insert("text".into(), text);
        }
        Some(envelope)
    }
}

#[cfg(test)]
mod tests {
    use super::super::lines;
    use super::*;
    use clawperator_contract::StepResult;
    use clawperator_contract::envelope::StepData;
    use clawperator_contract::limits::MAX_SLICE_BYTES;

    fn snapshot(id: &str, text: &str) -> StepResult {
        let data = StepData::from([("text".to_owned(), text.to_owned())]);
        StepResult::success(id, "snapshot_ui", data)
    }

    fn hierarchy(label: &str) -> String {
        format!("<hierarchy rotation=\"0\">\n  <node text=\"{label}\" />\n</hierarchy>\n")
    }

    fn told(lines: &[String], reader: &mut ResultReader) -> Option<Envelope> {
        assert!(lines.iter().all(|line| line.len() <= MAX_SLICE_BYTES));
        let mut envelopes: Vec<_> = lines.iter().filter_map(|line| reader.push(line)).collect();
        assert!(envelopes.len() <= 1, "an envelope is told once");
        envelopes.pop()
    }

    #[test]
    fn one_line_and_the_snapshots_before_it() {
        let steps = vec![snapshot("a", &hierarchy("one")), snapshot("b", &hierarchy("two"))];
        let envelope = Envelope::of_steps("c", "t", steps);
        let lines = lines(&envelope, None);
        assert_eq!(lines[0], "[TaskScope] UI Hierarchy:");
        assert_eq!(lines.iter().filter(|line| line.starts_with(RESULT_MARKER)).count(), 1);
        assert_eq!(told(&lines, &mut ResultReader::new("c", None)), Some(envelope));
    }

    #[test]
    fn a_lost_snapshot_does_not_shift_the_others() {
        let steps = vec![snapshot("a", &hierarchy("one")), snapshot("b", &hierarchy("two"))];
        let lines = lines(&Envelope::of_steps("c", "t", steps), None);
        let envelope = told(&lines[4..], &mut ResultReader::new("c", None)).unwrap();
        assert!(!envelope.step_results[0].data.contains_key("text"));
        assert_eq!(envelope.step_results[1].data["text"], hierarchy("two"));
    }

    #[test]
    fn a_host_with_a_dispatch_id_gets_the_whole_envelope_in_slices() {
        let envelope = Envelope::of_steps("c", "t", vec![snapshot("a", &"é\n".repeat(9_000))]);
        let lines = lines(&envelope, Some("d1"));
        assert!(lines.len() > 3);
        let mut reader = ResultReader::new("c", Some("d1"));
        assert_eq!(told(&lines[1..], &mut reader), None);
        assert_eq!(reader.missing(), Some(vec![1]));
        // Asked again, the whole is told again; what came before counts.
        assert_eq!(reader.push(&lines[0]), Some(envelope));
    }

    #[test]
    fn a_line_of_xml_beyond_the_log_is_broken_where_it_does_no_harm() {
        let words = "word ".repeat(2_000);
        let text = format!("<hierarchy>\n  <node text=\"{words}\" class=\"x\" />\n</hierarchy>\n");
        let envelope = Envelope::of_steps("c", "t", vec![snapshot("a", &text)]);
        let lines = lines(&envelope, None);
        let read = told(&lines, &mut ResultReader::new("c", None)).unwrap();
        let read = &read.step_results[0].data["text"];
        assert_ne!(*read, text);
        assert_eq!(read.replace('\n', " "), text.replace('\n', " "));
    }

    #[test]
    fn a_dispatch_is_not_answered_by_the_result_of_another_one_of_the_same_command() {
        let envelope = Envelope::of_steps("c", "t", vec![]);
        let mut reader = ResultReader::new("c", Some("d2"));
        assert_eq!(told(&lines(&envelope, Some("d1")), &mut reader), None);
        assert_eq!(told(&lines(&envelope, None), &mut reader), None);
        assert_eq!(told(&lines(&envelope, Some("d2")), &mut reader), Some(envelope));
    }

    #[test]
    fn results_of_other_commands_are_passed_over() {
        let mut reader = ResultReader::new("mine", None);
        let other = lines(&Envelope::of_steps("other", "t", vec![]), None);
        assert_eq!(told(&other, &mut reader), None);
        assert_eq!(reader.push("[Clawperator-Result] {not json"), None);
        assert_eq!(reader.push("I/chatty: something else"), None);
    }
}
