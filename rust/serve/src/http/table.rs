//! Every route, once.

use super::answer::Answer;
use super::call::Call;
use super::routes::{
    about, dispatches, emulators, executions, phones, pocket, recipes, recordings, skills,
};
use super::{App, bodies, events, shapes};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::Value;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

type Handler = fn(Arc<App>, Call) -> Pin<Box<dyn Future<Output = Answer> + Send>>;

/// What a route takes and gives.
pub(super) struct Route {
    pub(super) method: &'static str,
    pub(super) path: &'static str,
    pub(super) summary: &'static str,
    pub(super) query: &'static [Parameter],
    pub(super) body: Option<Body>,
    /// Statuses that mean it went well, with the shape of the answer.
    pub(super) answers: &'static [(u16, Shape)],
    /// Needs no token.
    pub(super) open: bool,
    pub(super) handler: Handler,
}

/// Something in the query.
pub(super) struct Parameter {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    pub(super) kind: Kind,
}

/// What a parameter may be.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Text,
    Flag,
    Millis(u64),
}

/// A body, and whether the route needs it.
#[derive(Clone, Copy)]
pub(super) struct Body {
    pub(super) schema: fn(&mut SchemaGenerator) -> Schema,
    pub(super) needed: bool,
}

/// What an answer looks like.
#[derive(Clone, Copy)]
pub(super) enum Shape {
    Json(fn() -> Value),
    Other(&'static str),
}

const DEVICE: Parameter = Parameter {
    name: "deviceId",
    about: "Serial of the phone; needed where there are several.",
    kind: Kind::Text,
};
const PACKAGE: Parameter = Parameter {
    name: "operatorPackage",
    about: "Package of the operator on the phone.",
    kind: Kind::Text,
};

const fn text(name: &'static str, about: &'static str) -> Parameter {
    Parameter { name, about, kind: Kind::Text }
}

const fn body<T: JsonSchema>() -> Option<Body> {
    Some(Body { schema: SchemaGenerator::subschema_for::<T>, needed: true })
}

const fn perhaps<T: JsonSchema>() -> Option<Body> {
    Some(Body { schema: SchemaGenerator::subschema_for::<T>, needed: false })
}

macro_rules! route {
    ($method:literal $path:literal $summary:literal, $handler:path, $answers:expr
        $(, query: $query:expr)? $(, body: $body:expr)? $(, open: $open:expr)?) => {
        Route {
            method: $method,
            path: $path,
            summary: $summary,
            query: first!($($query)?, &[]),
            body: first!($($body)?, None),
            answers: $answers,
            open: first!($($open)?, false),
            handler: |app, call| Box::pin($handler(app, call)),
        }
    };
}

macro_rules! first {
    (, $usual:expr) => {
        $usual
    };
    ($given:expr, $usual:expr) => {
        $given
    };
}

const EXECUTED: &[(u16, Shape)] =
    &[(200, Shape::Json(shapes::served)), (202, Shape::Json(shapes::taken))];

/// The routes, in the order they are documented.
pub(super) const ROUTES: &[Route] = &[
    route!("get" "/health" "Is the server there?", about::health,
        &[(200, Shape::Json(shapes::health))], open: true),
    route!("get" "/version" "Which version it is", about::version,
        &[(200, Shape::Json(shapes::version))]),
    route!("get" "/openapi.json" "This document", about::openapi,
        &[(200, Shape::Json(shapes::any))]),
    route!("get" "/devices" "List the phones", phones::list,
        &[(200, Shape::Json(shapes::devices))]),
    route!("get" "/packages" "List the apps on a phone", phones::packages,
    &[(200, Shape::Json(shapes::packages))],
    query: &[DEVICE, Parameter {
        name: "thirdParty",
        about: "Only those that did not come with the phone.",
        kind: Kind::Flag,
    }]),
    route!("post" "/execute" "Run an execution on a phone", executions::execute, EXECUTED,
        body: body::<bodies::Execute>()),
    route!("post" "/validate" "Check an execution", executions::validate,
        &[(200, Shape::Json(shapes::validated))], body: body::<bodies::Check>()),
    route!("post" "/dry-run" "Show what would be sent", executions::dry_run,
        &[(200, Shape::Json(shapes::dry_run))], body: body::<bodies::Check>()),
    route!("post" "/snapshot" "Tell what is on the screen", executions::snapshot,
        &[(200, Shape::Json(shapes::served))], body: perhaps::<bodies::Snapshot>()),
    route!("post" "/screenshot" "Take a picture of the screen", executions::screenshot,
        &[(200, Shape::Json(shapes::served))], body: perhaps::<bodies::Screenshot>()),
    route!("get" "/pictures/{name}" "A picture that was taken without a path", executions::picture,
        &[(200, Shape::Other("image/png"))]),
    route!("get" "/dispatches/{dispatchId}" "How a dispatch ended, or that it still runs",
    dispatches::get, EXECUTED,
    query: &[DEVICE, PACKAGE, Parameter {
        name: "waitMs",
        about: "How long to wait for its end, in milliseconds; 30000 without it.",
        kind: Kind::Millis(dispatches::LONGEST_WAIT),
    }]),
    route!("post" "/dispatches/{dispatchId}/cancel" "Stop a dispatch that waits or runs",
        dispatches::cancel, &[(202, Shape::Json(shapes::taken))]),
    route!("get" "/events" "What happens, as server-sent events", events::listen,
        &[(200, Shape::Other("text/event-stream"))],
        query: &[text("lastEventId", "Go on after this event; the header Last-Event-ID says the same.")]),
    route!("get" "/skills" "List or search skills", skills::list,
    &[(200, Shape::Json(shapes::skills))],
    query: &[
        text("app", "Only those for this app."),
        text("intent", "Only those with this intent."),
        text("keyword", "Words to look for."),
    ]),
    route!("get" "/skills/{skillId}" "One skill", skills::get,
        &[(200, Shape::Json(shapes::skill))]),
    route!("post" "/skills/{skillId}/validate" "Check a skill", skills::validate,
        &[(200, Shape::Json(shapes::any))]),
    route!("post" "/skills/{skillId}/compile" "Make an execution of an artifact", skills::compile,
        &[(200, Shape::Json(shapes::execution))], body: body::<bodies::SkillCompile>()),
    route!("post" "/skills/{skillId}/run" "Run a skill's script", skills::run,
        &[(200, Shape::Json(shapes::skill_ran))], body: body::<bodies::SkillRun>()),
    route!("post" "/recipes/validate" "Check a recipe", recipes::validate,
        &[(200, Shape::Json(shapes::recipe))], body: body::<bodies::Recipe>()),
    route!("post" "/recipes/compile" "Make an execution of a recipe", recipes::compile,
        &[(200, Shape::Json(shapes::execution))], body: body::<bodies::RecipeCompile>()),
    route!("post" "/recipes/run" "Run a recipe on a phone", recipes::run,
        &[(200, Shape::Json(shapes::recipe_ran))], body: body::<bodies::RecipeRun>()),
    route!("post" "/pocket/snapshot" "A picture and the elements of the screen, for an OpenPocket agent",
        pocket::snapshot, &[(200, Shape::Json(shapes::pocket_seen))],
        body: perhaps::<bodies::PocketSnapshot>()),
    route!("post" "/pocket/act" "Do one of OpenPocket's actions on a phone", pocket::act,
        &[(200, Shape::Json(shapes::pocket_done))], body: body::<bodies::PocketAct>()),
    route!("get" "/recordings" "List the recordings on a phone", recordings::list,
        &[(200, Shape::Json(shapes::recordings))], query: &[DEVICE, PACKAGE]),
    route!("post" "/recordings/start" "Begin a recording", recordings::start,
        &[(200, Shape::Json(shapes::served))], body: perhaps::<bodies::Recording>()),
    route!("post" "/recordings/stop" "End a recording", recordings::stop,
        &[(200, Shape::Json(shapes::served))], body: perhaps::<bodies::Recording>()),
    route!("post" "/recordings/parse" "Make steps of a recording", recordings::parse,
        &[(200, Shape::Json(shapes::any))], body: body::<bodies::RecordingParse>()),
    route!("get" "/recordings/{sessionId}" "A recording, whole; `latest` is the newest",
        recordings::pull, &[(200, Shape::Json(shapes::recording))], query: &[DEVICE, PACKAGE]),
    route!("get" "/android/emulators" "List the virtual devices", emulators::list,
        &[(200, Shape::Json(shapes::avds))]),
    route!("get" "/android/emulators/running" "List the emulators that run", emulators::running,
        &[(200, Shape::Json(shapes::running))]),
    route!("post" "/android/emulators/create" "Create a virtual device", emulators::create,
        &[(200, Shape::Json(shapes::any))], body: perhaps::<bodies::EmulatorCreate>()),
    route!("get" "/android/emulators/{name}" "One virtual device", emulators::inspect,
        &[(200, Shape::Json(shapes::any))]),
    route!("delete" "/android/emulators/{name}" "Delete a virtual device", emulators::delete,
        &[(200, Shape::Json(shapes::any))]),
    route!("post" "/android/emulators/{name}/start" "Start an emulator", emulators::start,
        &[(200, Shape::Json(shapes::any))], body: perhaps::<bodies::EmulatorStart>()),
    route!("post" "/android/emulators/{name}/stop" "Stop an emulator", emulators::stop,
        &[(200, Shape::Json(shapes::any))]),
    route!("post" "/android/provision/emulator" "See to it that a supported emulator runs",
        emulators::provision, &[(200, Shape::Json(shapes::any))],
        body: perhaps::<bodies::EmulatorStart>()),
];

/// Method, path and summary of every route, for a page that lists them.
pub fn summaries() -> impl Iterator<Item = (String, &'static str, &'static str)> {
    ROUTES.iter().map(|route| (route.method.to_ascii_uppercase(), route.path, route.summary))
}
