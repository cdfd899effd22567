//! The closed lists of the language. One table each: reading, messages and the schema come from it.

/// A list of words, each with a meaning of its own.
pub(crate) trait Word: Copy + Sized + 'static {
    /// All of them, in the order of the documentation.
    const ALL: &'static [Self];

    /// As it is written.
    fn word(self) -> &'static str;

    /// The one that is written so.
    fn from_word(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|own| own.word() == text)
    }

    /// All of them as they are written.
    fn words() -> Vec<&'static str> {
        Self::ALL.iter().map(|own| own.word()).collect()
    }
}

macro_rules! words {
    ($($(#[$doc:meta])* $list:ident { $($(#[$meaning:meta])* $variant:ident $word:literal)* })*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
            pub enum $list { $($(#[$meaning])* $variant,)* }

            impl Word for $list {
                const ALL: &'static [Self] = &[$(Self::$variant,)*];

                fn word(self) -> &'static str {
                    match self { $(Self::$variant => $word,)* }
                }
            }

            impl std::fmt::Display for $list {
                fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    f.write_str(self.word())
                }
            }

            impl std::str::FromStr for $list {
                type Err = String;

                fn from_str(text: &str) -> Result<Self, String> {
                    Self::from_word(text)
                        .ok_or_else(|| format!("there are: {}", Self::words().join(", ")))
                }
            }

            impl serde::Serialize for $list {
                fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                    to.serialize_str(self.word())
                }
            }
        )*
    };
}

words! {
/// What a recipe is for.
RecipeType {
    /// Looks once and changes nothing.
    Probe "probe"
    /// Goes somewhere and reads.
    Flow "flow"
    /// Changes something and proves that it did.
    Action "action"
}

/// Whether the app is started anew.
SessionPolicy {
    /// It is closed and opened first.
    Fresh "fresh"
    /// It is taken as it is.
    ResumeOk "resume_ok"
}

/// What an app's screens are made with.
Framework {
    /// Android's own widgets.
    Views "views"
    /// Jetpack Compose.
    Compose "compose"
    /// React Native.
    ReactNative "react-native"
    /// Expo.
    Expo "expo"
    /// Flutter.
    Flutter "flutter"
    /// A web page inside the app.
    Webview "webview"
    /// Several of them.
    Hybrid "hybrid"
    /// Nobody looked.
    Unknown "unknown"
}

/// What a recipe may do; policies allow or deny by these.
Capability {
    /// Reads the screen.
    Observe "observe"
    /// Opens, closes and moves about in the app.
    Navigate "navigate"
    /// Clicks.
    Click "click"
    /// Clicks long.
    LongClick "long_click"
    /// Enters text.
    TypeText "type_text"
    /// Switches something on or off.
    Toggle "toggle"
    /// May cost money.
    PurchaseRisk "purchase_risk"
}

/// What the text of a selector is made of.
Annotation {
    /// Part of the app, the same for everybody.
    Structural "STRUCTURAL"
    /// Differs from run to run.
    Variable "VARIABLE"
    /// Belongs to one person or home.
    UserSpecific "USER_SPECIFIC"
    /// Put together from others.
    Derived "DERIVED"
}

/// What becomes of an output before anybody sees it.
Redaction {
    /// It is shown.
    None "none"
    /// Only whether it is the same as another can be told.
    Hash "hash"
    /// It is covered.
    Mask "mask"
    /// It is left out.
    Drop "drop"
}

/// How much can go wrong.
RiskLevel {
    /// Little.
    Low "low"
    /// Some.
    Medium "medium"
    /// Much.
    High "high"
}

/// What an input or output holds.
ValueType {
    /// A text.
    String "string"
    /// A whole number.
    Integer "integer"
    /// A number.
    Number "number"
    /// Yes or no.
    Boolean "boolean"
}

/// What a step that clicks is for.
Effect {
    /// It only leads somewhere.
    Navigate "navigate"
    /// It changes something that stays changed.
    Change "change"
}
}

impl Capability {
    /// Is the state after it worth a look, whatever the recipe is?
    #[must_use]
    pub fn needs_verification(self) -> bool {
        matches!(self, Self::TypeText | Self::Toggle | Self::PurchaseRisk)
    }
}
