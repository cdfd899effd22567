//! Connections, and the way of a request from the socket to its route and back.

use super::answer::{Answer, broken, failure};
use super::call::Call;
use super::table::{ROUTES, Route};
use super::{App, Setup};
use crate::mcp::{self, Office, PATIENCE, Skills};
use axum::Router;
use axum::body::Body;
use axum::extract::rejection::PathRejection;
use axum::extract::{FromRequestParts, Path};
use axum::http::header::ALLOW;
use axum::http::{HeaderName, HeaderValue, Method, Request, Response};
use axum::routing::{MethodFilter, MethodRouter, any};
use clawperator_contract::{ErrorCode, Failure};
use clawperator_host::ids;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use std::collections::{BTreeMap, HashMap};
use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;
use tower_service::Service;

/// A request's headers that take longer to arrive are not waited for; an idle connection neither.
const HEADERS: Duration = Duration::from_secs(30);
/// Connections at once.
const CONNECTIONS: usize = 1_024;
/// Answers that are being written when everything has ended have so long.
const FAREWELL: Duration = Duration::from_secs(3);
/// Between two tries to accept, when the computer has no more to give.
const BREATH: Duration = Duration::from_millis(50);

/// Where agents are.
const MCP: &str = "/mcp";
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Serves until it is told to end; then ends what runs and answers everybody.
pub async fn serve(listener: TcpListener, setup: Setup, told_to_end: impl Future<Output = ()>) {
    let grace = setup.grace;
    let app = Arc::new(App::new(setup));
    let agents = CancellationToken::new();
    let routes = routes(&app).merge(mcp(&app, &agents));
    let graceful = GracefulShutdown::new();
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    follow_phones(&app);
    tokio::pin!(told_to_end);
    loop {
        let accepted = tokio::select! {
            accepted = accept(&listener, &places) => accepted,
            () = &mut told_to_end => break,
        };
        match accepted {
            Ok((stream, peer, place)) => connection(stream, peer, place, &routes, &graceful),
            Err(error) => {
                log::warn!("a connection could not be taken: {error}");
                tokio::time::sleep(BREATH).await;
            }
        }
    }
    drop(listener);
    app.closing.send_replace(true);
    app.desk().close(grace).await;
    agents.cancel();
    if tokio::time::timeout(FAREWELL, graceful.shutdown()).await.is_err() {
        log::warn!("a client did not take its answer");
    }
}

/// Takes a connection when there is a place for it.
async fn accept(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
) -> io::Result<(TcpStream, SocketAddr, OwnedSemaphorePermit)> {
    let place = Arc::clone(places).acquire_owned().await.map_err(io::Error::other)?;
    let (stream, peer) = listener.accept().await?;
    Ok((stream, peer, place))
}

fn connection(
    stream: TcpStream,
    peer: SocketAddr,
    place: OwnedSemaphorePermit,
    routes: &Router,
    graceful: &GracefulShutdown,
) {
    // Answers are small and waited for.
    let _ = stream.set_nodelay(true);
    let routes = routes.clone();
    let service = service_fn(move |mut request: Request<hyper::body::Incoming>| {
        request.extensions_mut().insert(peer.ip());
        let mut routes = routes.clone();
        async move { routes.call(request.map(Body::new)).await }
    });
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADERS)
        .serve_connection(TokioIo::new(stream), service);
    let served = graceful.watch(served);
    tokio::spawn(async move {
        if let Err(error) = served.await {
            log::debug!("a connection ended: {error}");
        }
        drop(place);
    });
}

/// axum's routes, from the table.
fn routes(app: &Arc<App>) -> Router {
    let mut by_path: BTreeMap<&str, Vec<&'static Route>> = BTreeMap::new();
    for route in ROUTES {
        by_path.entry(route.path).or_default().push(route);
    }
    let mut router = Router::new();
    for (path, routes) in by_path {
        let allowed = routes.iter().map(|route| route.method.to_ascii_uppercase());
        let allowed = allowed.collect::<Vec<_>>().join(", ");
        let mut methods = MethodRouter::new();
        for route in routes {
            let own = Arc::clone(app);
            let handler = move |request| answer(Arc::clone(&own), Some(route), request);
            methods = methods.on(filter(route.method), handler);
        }
        let own = Arc::clone(app);
        let wrong_method = move |request: Request<Body>| {
            let (app, allowed) = (Arc::clone(&own), allowed.clone());
            async move {
                let mut response = answer(app, None, request).await;
                if response.status() == 404 {
                    let id = response.headers_mut().remove(REQUEST_ID);
                    response = not_allowed(&allowed);
                    response.headers_mut().extend(id.map(|id| (REQUEST_ID, id)));
                }
                response
            }
        };
        router = router.route(path, methods.fallback(wrong_method));
    }
    let own = Arc::clone(app);
    router.fallback(move |request| answer(Arc::clone(&own), None, request))
}

/// Agents speak their own protocol behind one path, past the same guard as everybody.
fn mcp(app: &Arc<App>, end: &CancellationToken) -> Router {
    let setup = &app.setup;
    let office = Office {
        desk: setup.desk.clone(),
        device: None,
        wait: PATIENCE,
        skills: Skills {
            registries: setup.registries.clone(),
            policy: Arc::new(setup.policy.clone()),
            redactor: Arc::clone(&setup.redactor),
        },
        version: setup.version.clone(),
    };
    let agents = mcp::http::service(office, end.clone());
    let own = Arc::clone(app);
    Router::new().route(
        MCP,
        any(move |request: Request<Body>| {
            let (app, agents) = (Arc::clone(&own), agents.clone());
            async move {
                match app.setup.guard.admit(request.headers(), false) {
                    Ok(()) => agents.handle(request).await.map(Body::new),
                    Err(refused) => failure(&refused),
                }
            }
        }),
    )
}

fn filter(method: &str) -> MethodFilter {
    match method {
        "post" => MethodFilter::POST,
        "delete" => MethodFilter::DELETE,
        _ => MethodFilter::GET,
    }
}

fn not_allowed(allowed: &str) -> Response<Body> {
    let code = ErrorCode::MethodNotAllowed;
    let message = format!("this route takes {allowed}");
    let mut response = failure(&Failure::new(code, message).hint(code.remedy()));
    if let Ok(allowed) = HeaderValue::from_str(allowed) {
        response.headers_mut().insert(ALLOW, allowed);
    }
    response
}

/// Answers a request, whatever becomes of it.
async fn answer(
    app: Arc<App>,
    route: Option<&'static Route>,
    request: Request<Body>,
) -> Response<Body> {
    let id = request_id(&request);
    let started = std::time::Instant::now();
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    // A task of its own: a fault in a route becomes an answer, and a client that goes away does
    // not leave half of a change behind.
    let handled = tokio::spawn(handle(app, route, request)).await;
    let answered = handled.unwrap_or_else(|_| Err(broken("the route has a fault")));
    let mut response = answered.unwrap_or_else(|failed| failure(&failed));
    note(&method, &path, &id, response.status().as_u16(), started);
    response.headers_mut().insert(REQUEST_ID, id);
    response
}

fn note(method: &Method, path: &str, id: &HeaderValue, status: u16, started: std::time::Instant) {
    let (id, took) = (id.to_str().unwrap_or_default(), started.elapsed().as_millis());
    log::debug!("{method} {path} {status} in {took} ms ({id})");
}

async fn handle(app: Arc<App>, route: Option<&'static Route>, request: Request<Body>) -> Answer {
    app.setup.guard.admit(request.headers(), route.is_some_and(|route| route.open))?;
    let Some(route) = route else {
        let code = ErrorCode::RouteNotFound;
        let message = format!("there is no {} {}", request.method(), request.uri().path());
        return Err(Failure::new(code, message).hint(code.remedy()));
    };
    let peer = request.extensions().get::<IpAddr>().copied();
    let peer = peer.unwrap_or(IpAddr::from([127, 0, 0, 1]));
    let (mut parts, body) = request.into_parts();
    let path = Path::<HashMap<String, String>>::from_request_parts(&mut parts, &()).await;
    let path = path.map_err(|rejected| unreadable(&rejected))?.0;
    let known: Vec<&str> = route.query.iter().map(|parameter| parameter.name).collect();
    let call = Call::read(Request::from_parts(parts, body), path, &known, peer).await?;
    (route.handler)(app, call).await
}

fn unreadable(rejected: &PathRejection) -> Failure {
    let code = ErrorCode::InvalidParameter;
    Failure::new(code, format!("the path cannot be read: {rejected}")).hint(code.remedy())
}

/// The client's own id where it is a sane one.
fn request_id(request: &Request<Body>) -> HeaderValue {
    let given = request.headers().get(&REQUEST_ID);
    let sane = |value: &&HeaderValue| {
        value.len() <= 128 && !value.is_empty() && value.as_bytes().iter().all(u8::is_ascii_graphic)
    };
    given.filter(sane).cloned().unwrap_or_else(|| {
        HeaderValue::from_str(&ids::command("r")).unwrap_or(HeaderValue::from_static("r"))
    })
}

/// Tells of phones that come and go.
fn follow_phones(app: &Arc<App>) {
    let desk = app.desk().clone();
    let closing = app.closing.subscribe();
    let followed = std::thread::Builder::new().name("phones".into()).spawn(move || {
        desk.follow_phones(&|| *closing.borrow());
    });
    if let Err(error) = followed {
        log::warn!("nobody will hear of phones that come and go: {error}");
    }
}
