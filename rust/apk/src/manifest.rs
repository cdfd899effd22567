//! What the elements of a manifest mean to an installer.

use crate::resources::Resources;
use crate::xml::{self, Element, Listener};
use crate::{Apk, ApkError, Component, Value, class_name};

// The framework's numbers of `android:` attributes; they never change.
const LABEL: u32 = 0x0101_0001;
const NAME: u32 = 0x0101_0003;
const PERMISSION: u32 = 0x0101_0006;
const ENABLED: u32 = 0x0101_000e;
const MIN_SDK: u32 = 0x0101_020c;
const VERSION_CODE: u32 = 0x0101_021b;
const VERSION_NAME: u32 = 0x0101_021c;
const TARGET_SDK: u32 = 0x0101_0270;
const TEST_ONLY: u32 = 0x0101_0272;
const VERSION_CODE_MAJOR: u32 = 0x0101_0576;

const MAIN: &str = "android.intent.action.MAIN";
const LAUNCHER: &str = "android.intent.category.LAUNCHER";

/// As many as Android takes.
const MAX_COMPONENTS: usize = 30_000;

/// The longest name of a package that Android takes: folders are named after it.
const MAX_PACKAGE: usize = 223;

/// From this API level on an app must have an `<application>` or an `<instrumentation>`.
const NEEDS_APPLICATION: u32 = 30;

/// Reads a manifest; all of an [`Apk`] but the ABIs.
pub(crate) fn read(bytes: &[u8], resources: &Resources<'_, '_>) -> Result<Apk, ApkError> {
    let mut reader = Reader {
        resources,
        apk: Apk::default(),
        open: Vec::new(),
        permission: None,
        activity: None,
        main: false,
        launcher: false,
        has_application: false,
        has_instrumentation: false,
    };
    xml::read(bytes, &mut reader)?;
    reader.finish()
}

/// The elements that matter, where they matter.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tag {
    Manifest,
    Application,
    Activity,
    Filter,
    Other,
}

struct Reader<'r, 'a> {
    resources: &'r Resources<'r, 'a>,
    apk: Apk,
    /// The elements that are open, the innermost last.
    open: Vec<Tag>,
    /// The application's own, for components that name none.
    permission: Option<String>,
    /// The open activity, if the icon may start it.
    activity: Option<String>,
    /// Whether the open filter has the action, and the category.
    main: bool,
    launcher: bool,
    has_application: bool,
    has_instrumentation: bool,
}

impl Listener for Reader<'_, '_> {
    fn start(&mut self, element: &Element<'_, '_>) -> Result<(), ApkError> {
        let tag = match self.open.last() {
            None => self.manifest(element)?,
            Some(Tag::Manifest) => self.below_manifest(element)?,
            Some(Tag::Application) => self.below_application(element)?,
            Some(Tag::Activity) if element.name()? == "intent-filter" => {
                (self.main, self.launcher) = (false, false);
                Tag::Filter
            }
            Some(Tag::Filter) => {
                match &*element.name()? {
                    "action" => self.main |= self.is_named(element, MAIN)?,
                    "category" => self.launcher |= self.is_named(element, LAUNCHER)?,
                    _ => {}
                }
                Tag::Other
            }
            Some(Tag::Activity | Tag::Other) => Tag::Other,
        };
        self.open.push(tag);
        Ok(())
    }

    fn end(&mut self) {
        let starts = self.open.pop() == Some(Tag::Filter) && self.main && self.launcher;
        if starts && self.apk.launcher_activity.is_none() {
            self.apk.launcher_activity = self.activity.take();
        }
    }
}

impl Reader<'_, '_> {
    fn manifest(&mut self, element: &Element<'_, '_>) -> Result<Tag, ApkError> {
        if element.name()? != "manifest" {
            return Err(ApkError::Malformed { line: 0, why: "No <manifest> tag".to_owned() });
        }
        let package = match element.plain("package")? {
            Some(Value::Text(name)) => name.into_owned(),
            _ => String::new(),
        };
        check_package(&package)?;
        self.apk.package = package;
        if let Some(Value::Text(split)) = element.plain("split")?
            && !split.is_empty()
        {
            return Err(ApkError::Split(split.into_owned()));
        }
        let major = self.int(element, VERSION_CODE_MAJOR)?.unwrap_or(0);
        let minor = self.int(element, VERSION_CODE)?.unwrap_or(0);
        self.apk.version_code = u64::from(major) << 32 | u64::from(minor);
        self.apk.version_name = self.text(element, VERSION_NAME)?;
        Ok(Tag::Manifest)
    }

    fn below_manifest(&mut self, element: &Element<'_, '_>) -> Result<Tag, ApkError> {
        match &*element.name()? {
            "application" if !self.has_application => {
                self.has_application = true;
                self.apk.label = self.text(element, LABEL)?;
                self.apk.test_only = self.bool(element, TEST_ONLY)?.unwrap_or(false);
                self.permission = self.text(element, PERMISSION)?;
                return Ok(Tag::Application);
            }
            "uses-sdk" => {
                self.apk.min_sdk = self.sdk(element, MIN_SDK)?.or(self.apk.min_sdk);
                self.apk.target_sdk = self.sdk(element, TARGET_SDK)?.or(self.apk.target_sdk);
            }
            "instrumentation" => self.has_instrumentation = true,
            _ => {}
        }
        Ok(Tag::Other)
    }

    fn below_application(&mut self, element: &Element<'_, '_>) -> Result<Tag, ApkError> {
        let tag = element.name()?;
        match &*tag {
            "activity" | "activity-alias" => {
                let name = self.class(element, &tag)?;
                let enabled = self.bool(element, ENABLED)?.unwrap_or(true);
                self.activity = enabled.then_some(name);
                return Ok(Tag::Activity);
            }
            "service" | "receiver" => {
                if self.apk.services.len() + self.apk.receivers.len() >= MAX_COMPONENTS {
                    return Err(ApkError::Malformed {
                        line: element.line,
                        why: format!(
                            "Total number of components has exceeded the maximum number: \
                             {MAX_COMPONENTS}"
                        ),
                    });
                }
                let name = self.class(element, &tag)?;
                let permission =
                    self.text(element, PERMISSION)?.or_else(|| self.permission.clone());
                let component = Component { name, permission };
                match &*tag {
                    "service" => self.apk.services.push(component),
                    _ => self.apk.receivers.push(component),
                }
            }
            _ => {}
        }
        Ok(Tag::Other)
    }

    fn finish(self) -> Result<Apk, ApkError> {
        if self.apk.package.is_empty() {
            return Err(ApkError::Malformed { line: 0, why: "No start tag found".to_owned() });
        }
        let target = self.apk.target_sdk.or(self.apk.min_sdk).unwrap_or(0);
        if target >= NEEDS_APPLICATION && !self.has_application && !self.has_instrumentation {
            let why = "<manifest> does not contain an <application> or <instrumentation>";
            return Err(ApkError::Malformed { line: 0, why: why.to_owned() });
        }
        Ok(self.apk)
    }

    fn class(&self, element: &Element<'_, '_>, tag: &str) -> Result<String, ApkError> {
        match self.text(element, NAME)? {
            Some(name) if !name.is_empty() => Ok(class_name(&self.apk.package, &name)),
            _ => Err(ApkError::Malformed {
                line: element.line,
                why: format!("<{tag}> does not have valid android:name"),
            }),
        }
    }

    fn is_named(&self, element: &Element<'_, '_>, name: &str) -> Result<bool, ApkError> {
        Ok(self.text(element, NAME)?.as_deref() == Some(name))
    }

    fn text(&self, element: &Element<'_, '_>, id: u32) -> Result<Option<String>, ApkError> {
        let Some(value) = element.framework(id)? else { return Ok(None) };
        Ok(match self.resources.resolve(value) {
            Some(Value::Text(text)) => Some(text.into_owned()),
            // A version "2" without quotes is a number to the packager.
            Some(Value::Int(number)) => Some(number.cast_signed().to_string()),
            _ => None,
        })
    }

    fn int(&self, element: &Element<'_, '_>, id: u32) -> Result<Option<u32>, ApkError> {
        let Some(value) = element.framework(id)? else { return Ok(None) };
        Ok(match self.resources.resolve(value) {
            Some(Value::Int(number)) => Some(number),
            _ => None,
        })
    }

    fn bool(&self, element: &Element<'_, '_>, id: u32) -> Result<Option<bool>, ApkError> {
        let Some(value) = element.framework(id)? else { return Ok(None) };
        Ok(match self.resources.resolve(value) {
            Some(Value::Bool(yes)) => Some(yes),
            Some(Value::Int(number)) => Some(number != 0),
            _ => None,
        })
    }

    /// An API level. As a text it is the code name of one to come.
    fn sdk(&self, element: &Element<'_, '_>, id: u32) -> Result<Option<u32>, ApkError> {
        let Some(value) = element.framework(id)? else { return Ok(None) };
        match self.resources.resolve(value) {
            // Below zero is below all there are.
            Some(Value::Int(level)) => Ok(Some(u32::try_from(level.cast_signed()).unwrap_or(0))),
            Some(Value::Text(text)) => match text.parse() {
                Ok(level) => Ok(Some(level)),
                Err(_) => Err(ApkError::Preview(text.into_owned())),
            },
            _ => Ok(None),
        }
    }
}

/// Android's rule: parts of letters, digits and `_`, each beginning with a letter, and at least
/// one dot.
fn check_package(name: &str) -> Result<(), ApkError> {
    let bad = |why: String| Err(ApkError::BadPackageName { name: name.to_owned(), why });
    let mut front = true;
    for c in name.chars() {
        match c {
            'a'..='z' | 'A'..='Z' => front = false,
            '0'..='9' | '_' if !front => {}
            '.' => front = true,
            _ => return bad(format!("bad character '{c}'")),
        }
    }
    if name.len() > MAX_PACKAGE {
        return bad(format!("the length of the name is greater than {MAX_PACKAGE}"));
    }
    if !name.contains('.') {
        return bad("must have at least one '.' separator".to_owned());
    }
    Ok(())
}
