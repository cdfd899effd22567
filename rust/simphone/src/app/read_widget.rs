//! Reads widgets. The first key of a widget says what it is.

use super::error::{AppError, Problem};
use super::fields::{At, Fields};
use super::model::{Check, CheckStyle, Ime, Kind, Tab, Widget};
use super::read_action::{actions, click};
use super::value::{Label, Value};
use std::collections::BTreeSet;
use std::time::Duration;

/// Items of a list: more than anybody scrolls through.
const MOST_ITEMS: u32 = 100_000;

/// The widgets of one page, and the ids that were given on it.
pub(super) struct WidgetReader<'p> {
    pub(super) ids: &'p mut BTreeSet<String>,
    /// Widgets around this one; a page may scroll in one direction only once.
    pub(super) depth: usize,
}

impl WidgetReader<'_> {
    pub(super) fn widgets(&mut self, at: &At<'_>) -> Result<Vec<Widget>, AppError> {
        let widgets: Vec<_> =
            at.items().iter().map(|item| self.widget(item)).collect::<Result<_, _>>()?;
        if widgets.iter().filter(|widget| fills(&widget.kind)).count() > 1 {
            let problem = Problem::TooMany { what: "lists, feeds or tabs on one page", most: 1 };
            return Err(at.error(problem));
        }
        Ok(widgets)
    }

    fn inner(&mut self, at: &At<'_>) -> Result<Vec<Widget>, AppError> {
        self.depth += 1;
        let widgets = self.widgets(at)?;
        self.depth -= 1;
        if widgets.iter().any(|widget| fills(&widget.kind)) {
            let problem = Problem::Expected("no list, feed or tabs inside another widget");
            return Err(at.error(problem));
        }
        Ok(widgets)
    }

    pub(super) fn widget(&mut self, at: &At<'_>) -> Result<Widget, AppError> {
        let mut fields = at.fields()?;
        let (kind, _) = fields.first()?;
        let kind = self.kind(kind, &mut fields)?;
        let millis = |at: &At<'_>| at.count().map(|ms| Duration::from_millis(ms.into()));
        let widget = Widget {
            kind,
            id: self.id(&mut fields)?,
            description: fields.read("desc", At::label)?,
            when: fields.read("when", At::condition)?,
            enabled: fields.read("enabled", At::condition)?,
            late: fields.read("late", millis)?,
            gone: fields.read("gone", millis)?,
            click: click(&mut fields)?,
            long_click: fields.read("held", actions)?.unwrap_or_default(),
        };
        fields.done()?;
        Ok(widget)
    }

    fn id(&mut self, fields: &mut Fields<'_>) -> Result<Option<String>, AppError> {
        let Some(at) = fields.get("id") else { return Ok(None) };
        let id = at.text()?;
        if !self.ids.insert(id.clone()) {
            return Err(at.error(Problem::Duplicate { what: "id", name: id }));
        }
        Ok(Some(id))
    }

    fn kind(&mut self, kind: &str, fields: &mut Fields<'_>) -> Result<Kind, AppError> {
        Ok(match kind {
            "text" => Kind::Text(fields.need("text")?.label()?),
            "heading" => Kind::Heading(fields.need("heading")?.label()?),
            "image" => Kind::Image(fields.need("image")?.label()?),
            "button" => Kind::Button(fields.need("button")?.label()?),
            "row" => Kind::Row {
                title: fields.need("row")?.label()?,
                icon: fields.read("icon", At::label)?,
                summary: fields.read("summary", At::label)?,
                check: check(fields)?,
            },
            // A preference with a value is a row whose summary is the value.
            "value" => Kind::Row {
                title: fields.need("value")?.label()?,
                icon: fields.read("icon", At::label)?,
                summary: Some(fields.need("is")?.label()?),
                check: None,
            },
            "tile" => Kind::Tile {
                title: fields.need("tile")?.label()?,
                icon: fields.read("icon", At::label)?,
                value: fields.read("value", At::label)?,
                check: check(fields)?,
            },
            "switch" => self.standalone("switch", CheckStyle::Switch, fields)?,
            "checkbox" => self.standalone("checkbox", CheckStyle::Checkbox, fields)?,
            "radio" => radio(fields)?,
            "field" => field(fields)?,
            "slider" => {
                let (label, state, min, max) = range("slider", fields)?;
                Kind::Slider { label, state, min, max }
            }
            "progress" => {
                let (label, state, min, max) = range("progress", fields)?;
                Kind::Progress { label, state, min, max }
            }
            "list" => {
                let at = fields.need("list")?;
                let count = at.count()?;
                if count > MOST_ITEMS {
                    let most = MOST_ITEMS as usize;
                    return Err(at.error(Problem::TooMany { what: "items", most }));
                }
                Kind::List { count, item: Box::new(self.item(fields)?) }
            }
            "feed" => Kind::Feed {
                page: fields.need("feed")?.count()?.clamp(1, 100),
                loads: Duration::from_millis(
                    fields.read("loads", At::count)?.unwrap_or_default().into(),
                ),
                item: Box::new(self.item(fields)?),
            },
            "tabs" => self.tabs(fields)?,
            "grid" => Kind::Grid {
                columns: fields.need("grid")?.count()?.clamp(1, 8),
                items: self.inner(&fields.need("items")?)?,
            },
            "carousel" => Kind::Carousel(self.inner(&fields.need("carousel")?)?),
            "apps" => {
                fields.need("apps")?.flag()?;
                Kind::Apps
            }
            other => {
                return Err(fields.at.error(Problem::UnknownKind { kind: other.to_owned() }));
            }
        })
    }

    /// The one widget that all items of a list are made from.
    fn item(&mut self, fields: &mut Fields<'_>) -> Result<Widget, AppError> {
        let at = fields.need("item")?;
        let widget = self.widget(&at)?;
        match widget.kind {
            Kind::Row { .. } | Kind::Text(_) | Kind::Tile { .. } => Ok(widget),
            _ => Err(at.error(Problem::Expected("a row, a tile or a text"))),
        }
    }

    fn standalone(
        &mut self,
        key: &'static str,
        style: CheckStyle,
        fields: &mut Fields<'_>,
    ) -> Result<Kind, AppError> {
        let label = fields.need(key)?.label()?;
        let state = fields.need("state")?.state(&Value::Bool(false))?;
        Ok(Kind::Check { label, check: Check { state, style } })
    }

    fn tabs(&mut self, fields: &mut Fields<'_>) -> Result<Kind, AppError> {
        let at = fields.need("tabs")?;
        if self.depth > 0 {
            return Err(at.error(Problem::Expected("no tabs inside another widget")));
        }
        let mut tabs = Vec::new();
        for item in at.items() {
            let mut fields = item.fields()?;
            let label = fields.need("tab")?.label()?;
            self.depth += 1;
            let widgets = self.widgets(&fields.need("widgets")?)?;
            self.depth -= 1;
            fields.done()?;
            tabs.push(Tab { label, widgets });
        }
        if tabs.is_empty() {
            return Err(at.error(Problem::Expected("at least one tab")));
        }
        Ok(Kind::Tabs { tabs, bottom: fields.read("bottom", At::flag)?.unwrap_or(false) })
    }
}

/// Does it take all the height that is left?
pub(super) fn fills(kind: &Kind) -> bool {
    matches!(kind, Kind::List { .. } | Kind::Feed { .. } | Kind::Tabs { .. })
}

fn check(fields: &mut Fields<'_>) -> Result<Option<Check>, AppError> {
    for (key, style) in [("switch", CheckStyle::Switch), ("checkbox", CheckStyle::Checkbox)] {
        if let Some(at) = fields.get(key) {
            return Ok(Some(Check { state: at.state(&Value::Bool(false))?, style }));
        }
    }
    Ok(None)
}

fn radio(fields: &mut Fields<'_>) -> Result<Kind, AppError> {
    let at = fields.need("radio")?;
    let name = at.text()?;
    let like = at.names.state.get(&name).cloned().unwrap_or(Value::Bool(false));
    let state = at.state(&like)?;
    let options = fields.need("options")?.items();
    let option = |at: &At<'_>| match &like {
        // A text variable holds the option's label itself.
        Value::Text(_) => Ok((at.label()?, Value::Text(at.text()?))),
        _ => {
            let mut fields = at.fields()?;
            let (label, value) = (fields.need("label")?.label()?, fields.need("value")?.value()?);
            fields.done()?;
            if value.is_like(&like) {
                Ok((label, value))
            } else {
                Err(at.error(Problem::WrongState { name: name.clone(), needs: value.kind() }))
            }
        }
    };
    let options = options.iter().map(option).collect::<Result<_, _>>()?;
    Ok(Kind::Radio { state, options })
}

fn field(fields: &mut Fields<'_>) -> Result<Kind, AppError> {
    let hint = fields.need("field")?.label()?;
    let state = fields.need("state")?.state(&Value::Text(String::new()))?;
    let password = fields.read("password", At::flag)?.unwrap_or(false);
    let ime = match fields.get("ime") {
        None => Ime::Done,
        Some(at) => match at.text()?.as_str() {
            "next" => Ime::Next,
            "done" => Ime::Done,
            "search" => Ime::Search,
            "go" => Ime::Go,
            _ => return Err(at.error(Problem::Expected("next, done, search or go"))),
        },
    };
    let submit = fields.read("submit", actions)?.unwrap_or_default();
    Ok(Kind::Field { hint, state, password, ime, submit })
}

fn range(
    key: &'static str,
    fields: &mut Fields<'_>,
) -> Result<(Label, String, i64, i64), AppError> {
    let label = fields.need(key)?.label()?;
    let state = fields.need("state")?.state(&Value::Int(0))?;
    let min = fields.read("min", At::number)?.unwrap_or(0);
    let at = fields.at.clone();
    let max = fields.read("max", At::number)?.unwrap_or(100);
    if min >= max || max.abs() > 1_000_000 || min.abs() > 1_000_000 {
        return Err(at.error(Problem::Expected("min below max, both within a million")));
    }
    Ok((label, state, min, max))
}
