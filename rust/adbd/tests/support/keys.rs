//! A key pair made by `adb keygen`, of no use anywhere else: its public half as adb wrote it, its
//! private half as the two primes.

use rsa::{BigUint, Pkcs1v15Sign, RsaPrivateKey};

pub const PUBLIC_LINE: &str = "\
    QAAAAK3tJMjbAceqlO4xgb4YDxC50w7e8jiNVke2opflSg7EP2Qji1UXsZ1ziiHsVbPuOxlusQYbMqeb\
    ok/EasVIh4ZentUujF1UiNo/92mMR6wGi70xm+bjg4oKH3DtmdZQQN8TJmx/UWUdIWsgAoK8Tlql2FJ8\
    GFWw9mBoedrkCrzBothSUgiPozPqCWB4LKJrq0G7Y2nmMXuVAt8XP06L1px1YUwXnIBOtzIQ9aJijdDO\
    tU5qJzQ91nSwemrq+hNu0fC8uyKuT1afUEhjaZ1N1GQOhiyURbR8ZxDWgj0Ktax5cXvh3O1LftIw42Na\
    BWTWZsfnQ6TFwcQXHo4wTEQTwE0HVQCnuyceubmQ+3cvYte/ZvgFB8n+0FeR6rRMIG17y+3DTXsuzNv8\
    zTkRRh3tpXXT+XIvm0OeMfZkE/eD9qbFKU7VLgE7mOL4TNgUOyV4S31LDASXqwef5+0XZNO0zm5AJ8NG\
    anrb1Naj3URgMEHTpptHpTZ1boetQUCrAF9EJUn1wXp4hqOb148Tj08CeYBsAXWV4nTSaHrAkq67jo4m\
    kkTga5zh9O/mikatyY2JVm0E6OXWsVq9Fhn8CTjrmAIPi7VpxR9e/Tn+0tPyJ65DfwHTBwhbMTaqVa80\
    8LfZqo+lyyrZTLZX/NGdc3qNjQBa39STbwhL0+Pzi1Pzqhp93J5CSAEAAQA= tester@nowhere";

const PRIME_1: &[u8] = b"\
    00d307227a3137027c2e100195d5dd9847edc5aec7c60fa610ac9007c2b6030fdec0869161a763b3\
    288e8de0c32735d35c04dba09e0a2004be146389501272f567a55f4ef5f82a0dc6e877899755d52e\
    80208d3378eef7a2bd97aa57bba0cccb9b5499e68b66e25061057a889d69c9089d60fa437630f2fd\
    be2e951e7fafaea119";
const PRIME_2: &[u8] = b"\
    00ca97471b61b066546049a2b58605f4bc7d4c5c7a71d092c769da635388d0fd3ad7cdd3986650b3\
    6d0d1fdfecdcd8d50434c44ed67dfeaf9bc8375f43a417de201e8da5e575031d200e77b915bd144e\
    3c6eaa5819779ec5e31268bd9413503cd163612937b27d27f1041389c5a9220c43b9f12f302d3391\
    6b5a5cfbc84baa1513";

/// Signs a token as a host does.
pub fn sign(token: &[u8]) -> Vec<u8> {
    let prime = |digits| BigUint::parse_bytes(digits, 16).unwrap();
    let key = RsaPrivateKey::from_p_q(prime(PRIME_1), prime(PRIME_2), 65_537_u32.into()).unwrap();
    // DigestInfo { SHA-1, NULL }, then 20 bytes.
    let prefix = *b"\x30\x21\x30\x09\x06\x05\x2b\x0e\x03\x02\x1a\x05\x00\x04\x14";
    let scheme = Pkcs1v15Sign { hash_len: Some(20), prefix: Box::new(prefix) };
    key.sign(scheme, token).unwrap()
}
