//! Who may ask: the token, and the names of the server against pages of other sites.
//!
//! A page in a browser can send requests to this computer. It cannot read a token, and it cannot
//! hide where it comes from: `Origin` names its site, and `Host` the name it was told for us. A
//! site whose name suddenly leads here (DNS rebinding) shows in `Host`; an address in digits is
//! never such a name.

use axum::http::HeaderMap;
use axum::http::header::{AUTHORIZATION, HOST, ORIGIN};
use clawperator_contract::{ErrorCode, Failure};
use sha2::{Digest, Sha256};
use std::net::IpAddr;
use subtle::ConstantTimeEq as _;

/// Who may ask.
#[derive(Clone, Debug, Default)]
pub struct Guard {
    /// The token every request has to carry, if any.
    pub token: Option<String>,
    /// Names of this server beside `localhost` and addresses.
    pub hosts: Vec<String>,
}

impl Guard {
    /// Lets a request through, or says why not. A route that is open needs no token.
    pub(crate) fn admit(&self, headers: &HeaderMap, open: bool) -> Result<(), Failure> {
        self.host(headers)?;
        self.origin(headers)?;
        match &self.token {
            Some(token) if !open && !carries(headers, token) => {
                let code = ErrorCode::Unauthorized;
                Err(Failure::new(code, code.meaning()).hint(code.remedy()))
            }
            _ => Ok(()),
        }
    }

    fn host(&self, headers: &HeaderMap) -> Result<(), Failure> {
        let host = text(headers, HOST.as_str());
        match host.map(name_of) {
            Some(name) if self.is_ours(name) => Ok(()),
            _ => Err(refused(&format!("the request is for the host {:?}", host.unwrap_or("")))),
        }
    }

    fn origin(&self, headers: &HeaderMap) -> Result<(), Failure> {
        if text(headers, "sec-fetch-site") == Some("cross-site") {
            return Err(refused("a page of another site sent the request"));
        }
        let Some(origin) = headers.get(ORIGIN) else { return Ok(()) };
        let origin = origin.to_str().unwrap_or_default();
        let authority = origin.split_once("://").map(|(_, authority)| authority);
        let same = authority.is_some() && authority == text(headers, HOST.as_str());
        let allowed = authority.is_some_and(|authority| self.is_named(name_of(authority)));
        if same || allowed {
            return Ok(());
        }
        Err(refused(&format!("a page of {origin:?} sent the request")))
    }

    fn is_ours(&self, name: &str) -> bool {
        let digits = name.trim_start_matches('[').trim_end_matches(']');
        digits.parse::<IpAddr>().is_ok()
            || name.eq_ignore_ascii_case("localhost")
            || self.is_named(name)
    }

    fn is_named(&self, name: &str) -> bool {
        self.hosts.iter().any(|host| host.eq_ignore_ascii_case(name))
    }
}

/// A host without its port.
fn name_of(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    }
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

/// Compares digests, in constant time: how long it takes says nothing of a guess.
fn carries(headers: &HeaderMap, token: &str) -> bool {
    let said = text(headers, AUTHORIZATION.as_str()).unwrap_or_default();
    let Some((scheme, given)) = said.split_once(' ') else { return false };
    let (ours, theirs) = (Sha256::digest(token), Sha256::digest(given.trim()));
    let same: bool = ours.as_slice().ct_eq(theirs.as_slice()).into();
    scheme.eq_ignore_ascii_case("bearer") && same
}

fn refused(what: &str) -> Failure {
    let code = ErrorCode::OriginRefused;
    Failure::new(code, what).hint(code.remedy())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect()
    }

    fn code(guard: &Guard, pairs: &[(&'static str, &str)]) -> Option<ErrorCode> {
        guard.admit(&headers(pairs), false).err().map(|failure| failure.code)
    }

    #[test]
    fn names_that_are_not_ours_are_refused() {
        let guard = Guard { token: None, hosts: vec!["lab.example".into()] };
        for ours in ["localhost:3000", "127.0.0.1:3000", "127.0.0.1", "[::1]:3000", "LAB.example"] {
            assert_eq!(code(&guard, &[("host", ours)]), None, "{ours}");
        }
        for other in ["evil.example", "localhost.evil.example", "", "127.0.0.1.evil.example:80"] {
            assert_eq!(code(&guard, &[("host", other)]), Some(ErrorCode::OriginRefused), "{other}");
        }
        assert_eq!(code(&guard, &[]), Some(ErrorCode::OriginRefused));
    }

    #[test]
    fn pages_of_other_sites_are_refused() {
        let guard = Guard::default();
        let host = ("host", "127.0.0.1:3000");
        assert_eq!(code(&guard, &[host, ("origin", "http://127.0.0.1:3000")]), None);
        for other in ["http://evil.example", "null", "http://127.0.0.1:8080", ""] {
            let seen = code(&guard, &[host, ("origin", other)]);
            assert_eq!(seen, Some(ErrorCode::OriginRefused), "{other}");
        }
        let seen = code(&guard, &[host, ("sec-fetch-site", "cross-site")]);
        assert_eq!(seen, Some(ErrorCode::OriginRefused));
    }

    #[test]
    fn a_token_is_needed_where_there_is_one() {
        let guard = Guard { token: Some("secret".into()), hosts: vec![] };
        let host = ("host", "127.0.0.1");
        assert_eq!(code(&guard, &[host, ("authorization", "Bearer secret")]), None);
        for wrong in ["Bearer secre", "Bearer secrett", "Basic secret", "secret", "Bearer "] {
            let seen = code(&guard, &[host, ("authorization", wrong)]);
            assert_eq!(seen, Some(ErrorCode::Unauthorized), "{wrong}");
        }
        assert_eq!(code(&guard, &[host]), Some(ErrorCode::Unauthorized));
        assert!(guard.admit(&headers(&[host]), true).is_ok());
    }
}
