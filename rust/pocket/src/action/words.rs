//! The closed sets of words.

use serde::{Deserialize, Serialize};

/// What a `process` action does with a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "the words say it")]
pub enum ProcessAction {
    List,
    Poll,
    Log,
    Write,
    Kill,
}

/// What a person is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "the words say it")]
pub enum Capability {
    Camera,
    Qr,
    Microphone,
    Voice,
    Nfc,
    Sms,
    #[serde(rename = "2fa")]
    TwoFactor,
    Location,
    Biometric,
    Notification,
    Contacts,
    Calendar,
    Files,
    Oauth,
    Payment,
    Permission,
    Unknown,
}

/// What the form of a human authorization yields.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the words say it")]
pub enum ArtifactKind {
    Auto,
    Credentials,
    PaymentCard,
    Form,
}

/// How a field of the form is entered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs, reason = "the words say it")]
pub enum FieldType {
    Text,
    Textarea,
    Password,
    Email,
    Number,
    Date,
    Select,
    Otp,
    CardNumber,
    Expiry,
    Cvc,
}
