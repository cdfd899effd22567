//! Commands on the phone.

/// What a command printed, and how it ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Output {
    /// Its output.
    pub stdout: Vec<u8>,
    /// Its complaints.
    pub stderr: Vec<u8>,
    /// Its exit code. A phone too old to tell it is believed to have succeeded.
    pub code: u8,
}

impl Output {
    /// Did it succeed?
    #[must_use]
    pub fn ok(&self) -> bool {
        self.code == 0
    }

    /// Its output as text, without the line breaks at the end.
    #[must_use]
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.stdout).trim_end().to_owned()
    }

    /// What it said in either place, for a message.
    #[must_use]
    pub fn said(&self) -> String {
        let both = [&self.stdout, &self.stderr]
            .map(|bytes| String::from_utf8_lossy(bytes).trim().to_owned());
        let both: Vec<_> = both.into_iter().filter(|text| !text.is_empty()).collect();
        both.join("; ")
    }
}
