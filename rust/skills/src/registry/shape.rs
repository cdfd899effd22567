//! What a JSON value must look like: checked here, and written as JSON Schema from the same table.

use clawperator_contract::{kind_of, suggest};
use regex_lite::Regex;
use serde_json::{Map, Value, json};

/// The form of a value.
#[derive(Clone, Debug)]
pub(crate) enum Shape {
    /// Exactly this text.
    Const(&'static str),
    /// A text with at least one character that is no space.
    Words,
    /// A text of a form; the second says it for people.
    Pattern(Form, &'static str),
    /// A whole number from this one on.
    Integer(u32),
    /// A moment such as `2026-01-31T08:00:00Z`.
    Moment,
    List {
        of: Box<Self>,
        min: usize,
        unique: bool,
    },
    Object {
        fields: Vec<Field>,
        others: Others,
    },
    /// An object whose keys are names and whose values all look alike.
    MapOf(Box<Self>),
    Nullable(Box<Self>),
}

/// What becomes of keys that are not in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Others {
    /// They are an error.
    Refused,
    /// They stay, but are probably a slip.
    Warned,
    /// They mean something to somebody else.
    Free,
}

/// A key of an object.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) key: &'static str,
    pub(crate) required: bool,
    pub(crate) about: &'static str,
    pub(crate) shape: Shape,
}

/// A step on the way to a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Key(String),
    Index(usize),
}

/// Something that is not as it should be.
#[derive(Clone, Debug)]
pub(crate) struct Violation {
    pub(crate) path: Vec<Step>,
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
    /// It may stay, but is probably a slip.
    pub(crate) only_warns: bool,
}

/// `skills.0.path`.
pub(crate) fn path_name(path: &[Step]) -> String {
    let names = path.iter().map(|step| match step {
        Step::Key(key) => key.clone(),
        Step::Index(index) => index.to_string(),
    });
    names.collect::<Vec<_>>().join(".")
}

impl Shape {
    /// Everything in a value that is not as the table has it.
    pub(crate) fn check(&self, value: &Value) -> Vec<Violation> {
        let mut checker = Checker::default();
        checker.check(self, value);
        checker.found
    }

    /// The same as JSON Schema.
    pub(crate) fn schema(&self) -> Value {
        match self {
            Self::Const(text) => json!({"const": text}),
            Self::Words => json!({"type": "string", "pattern": r"\S"}),
            Self::Pattern(form, _) => json!({"type": "string", "pattern": form.text}),
            Self::Integer(min) => json!({"type": "integer", "minimum": min}),
            Self::Moment => {
                json!({"type": "string", "format": "date-time", "pattern": MOMENT})
            }
            Self::List { of, min, unique } => {
                let mut schema = json!({"type": "array", "items": of.schema()});
                if *min > 0 {
                    schema["minItems"] = (*min).into();
                }
                if *unique {
                    schema["uniqueItems"] = true.into();
                }
                schema
            }
            Self::Object { fields, others } => object_schema(fields, *others),
            Self::MapOf(of) => json!({
                "type": "object",
                "propertyNames": {"pattern": NAME},
                "additionalProperties": of.schema()
            }),
            Self::Nullable(of) => json!({"anyOf": [{"type": "null"}, of.schema()]}),
        }
    }
}

fn object_schema(fields: &[Field], others: Others) -> Value {
    let required: Vec<_> = fields.iter().filter(|field| field.required).map(|f| f.key).collect();
    let properties: Map<String, Value> = fields
        .iter()
        .map(|field| {
            let mut schema = field.shape.schema();
            schema["description"] = field.about.into();
            (field.key.to_owned(), schema)
        })
        .collect();
    let mut schema = json!({"type": "object", "required": required, "properties": properties});
    if others == Others::Refused {
        schema["additionalProperties"] = false.into();
    }
    schema
}

/// Names of inputs.
const NAME: &str = "^[A-Za-z0-9_]+$";

/// UTC, whole seconds.
const MOMENT: &str = "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$";

/// Is a text such a moment?
pub(crate) fn is_moment(text: &str) -> bool {
    Form::new(MOMENT).fits(text)
}

/// A form of texts.
#[derive(Clone, Debug)]
pub(crate) struct Form {
    pub(crate) text: &'static str,
    /// The tests read every pattern; one that cannot be read fits nothing, so nothing gets by.
    pub(crate) regex: Option<Regex>,
}

impl Form {
    pub(crate) fn new(text: &'static str) -> Self {
        Self { text, regex: Regex::new(text).ok() }
    }

    pub(crate) fn fits(&self, text: &str) -> bool {
        self.regex.as_ref().is_some_and(|regex| regex.is_match(text))
    }
}

#[derive(Default)]
struct Checker {
    path: Vec<Step>,
    found: Vec<Violation>,
}

impl Checker {
    fn say(&mut self, message: String) -> &mut Violation {
        let index = self.found.len();
        let path = self.path.clone();
        self.found.push(Violation { path, message, hint: None, only_warns: false });
        &mut self.found[index]
    }

    fn name(&self) -> String {
        match self.path.last() {
            Some(Step::Key(key)) => format!("{key:?}"),
            Some(Step::Index(_)) => format!("{:?}", path_name(&self.path)),
            None => "the document".into(),
        }
    }

    fn wrong_kind(&mut self, wanted: &str, seen: &Value) {
        let message = format!("{} must be {wanted}, not {}", self.name(), kind_of(seen));
        self.say(message);
    }

    fn check(&mut self, shape: &Shape, value: &Value) {
        match (shape, value) {
            (Shape::Nullable(_), Value::Null) => {}
            (Shape::Nullable(of), value) => self.check(of, value),
            (Shape::Const(wanted), Value::String(text)) if text == wanted => {}
            (Shape::Const(wanted), seen) => {
                let message = format!("{} must be {wanted:?}, not {seen}", self.name());
                self.say(message);
            }
            (Shape::Words, Value::String(text)) => {
                if text.trim().is_empty() {
                    let message = format!("{} must not be empty", self.name());
                    self.say(message);
                }
            }
            (Shape::Pattern(form, said), Value::String(text)) => {
                if !form.fits(text) {
                    let message = format!("{} must be {said}, not {text:?}", self.name());
                    self.say(message);
                }
            }
            (Shape::Moment, Value::String(text)) => {
                if !is_moment(text) {
                    let form = "a moment such as 2026-01-31T08:00:00Z";
                    let message = format!("{} must be {form}, not {text:?}", self.name());
                    self.say(message);
                }
            }
            (Shape::Words | Shape::Pattern(..) | Shape::Moment, seen) => {
                self.wrong_kind("a string", seen);
            }
            (Shape::Integer(min), seen) => {
                let whole = |number: f64| number.fract() == 0.0 && number >= f64::from(*min);
                if !seen.as_f64().is_some_and(whole) {
                    let wanted = format!("a whole number of {min} or more");
                    let message = format!("{} must be {wanted}, not {seen}", self.name());
                    self.say(message);
                }
            }
            (Shape::List { of, min, unique }, Value::Array(items)) => {
                self.list(of, *min, *unique, items);
            }
            (Shape::List { .. }, seen) => self.wrong_kind("an array", seen),
            (Shape::Object { fields, others }, Value::Object(map)) => {
                self.object(fields, *others, map)
            }
            (Shape::MapOf(of), Value::Object(map)) => {
                let name = Form::new(NAME);
                for (key, value) in map {
                    self.path.push(Step::Key(key.clone()));
                    if !name.fits(key) {
                        self.say(format!("{key:?} must be letters, digits and _"));
                    }
                    self.check(of, value);
                    self.path.pop();
                }
            }
            (Shape::Object { .. } | Shape::MapOf(_), seen) => self.wrong_kind("an object", seen),
        }
    }

    fn list(&mut self, of: &Shape, min: usize, unique: bool, items: &[Value]) {
        if items.len() < min {
            let message = format!("{} must hold at least {min}", self.name());
            self.say(message);
        }
        for (index, item) in items.iter().enumerate() {
            self.path.push(Step::Index(index));
            self.check(of, item);
            if unique && items[..index].contains(item) {
                self.say(format!("{item} is there twice"));
            }
            self.path.pop();
        }
    }

    fn object(&mut self, fields: &[Field], others: Others, map: &Map<String, Value>) {
        for field in fields {
            match map.get(field.key) {
                Some(value) => {
                    self.path.push(Step::Key(field.key.to_owned()));
                    self.check(&field.shape, value);
                    self.path.pop();
                }
                None if field.required => {
                    self.say(format!("{:?} is missing: {}", field.key, field.about));
                }
                None => {}
            }
        }
        if others == Others::Free {
            return;
        }
        for key in map.keys() {
            if fields.iter().any(|field| field.key == key) {
                continue;
            }
            self.path.push(Step::Key(key.clone()));
            let names = fields.iter().map(|field| field.key);
            let meant = suggest::nearest(key, names.filter(|name| !map.contains_key(*name)));
            let said = self.say(format!("{key:?} is no key that is known here"));
            said.only_warns = others == Others::Warned;
            said.hint = meant.map(|name| format!("did you mean {name:?}?"));
            self.path.pop();
        }
    }
}
