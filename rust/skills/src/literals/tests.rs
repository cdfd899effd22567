//! Both lists the detector is held to: what it must find, and what it must leave alone.

use super::*;

const FOUND: &[(Kind, &str)] = &[
    (Kind::Email, "anna.meyer@gmail.com"),
    (Kind::Email, "text_equals: \"bob+home@mail.co.uk\""),
    (Kind::Email, "mailto:jürgen@web.de"),
    (Kind::Email, "Signed in as x_y%z@sub.domain.org."),
    (Kind::Email, "<o'neil@corp.io>"),
    (Kind::Email, "a@examples.com"),
    (Kind::Phone, "+49 30 901820 12"),
    (Kind::Phone, "+1 (415) 867-5309"),
    (Kind::Phone, "+442079460958"),
    (Kind::Phone, "call (415) 867-5309 now"),
    (Kind::Phone, "415-867-5309"),
    (Kind::Phone, "415.867.5309"),
    (Kind::Phone, "030/9018 2012"),
    (Kind::Phone, "0171 2345690"),
    (Kind::Phone, "020 7946 0958"),
    (Kind::Phone, "tel:8675309"),
    (Kind::Phone, "phone: 8675309"),
    (Kind::Phone, "\"mobile_number\": \"176 5551239\""),
    (Kind::Address, "12 Main Street"),
    (Kind::Address, "Home – 12 Main St"),
    (Kind::Address, "221b Baker St."),
    (Kind::Address, "1600 Amphitheatre Pkwy"),
    (Kind::Address, "742 Evergreen Terrace, Springfield"),
    (Kind::Address, "Hauptstraße 12"),
    (Kind::Address, "Lange Gasse 7b"),
    (Kind::Address, "Berliner Str. 101"),
    (Kind::Address, "12 rue de la Paix"),
    (Kind::Address, "5 bis, avenue Foch"),
    (Kind::Address, "Calle Mayor 5"),
    (Kind::Address, "Via Roma, 12"),
    (Kind::Address, "Mountain View, CA 94043"),
    (Kind::Address, "London SW1A 1AA"),
    (Kind::Coordinates, "52.520008, 13.404954"),
    (Kind::Coordinates, "geo:-33.8567,151.2152"),
    (Kind::Coordinates, "52° 31' 12\" N"),
    (Kind::Coordinates, "latitude: 52.5200"),
    (Kind::Serial, "adb -s 8BMX1F5KW shell"),
    (Kind::Serial, "R58M123ABCD"),
    (Kind::Serial, "DEVICE_ID=RF8M33QWE5T"),
    (Kind::Serial, "on 28291FDH200ABC."),
    (Kind::Serial, "\"HT7A1A00123\""),
    (Kind::Serial, "ZY22FGH7KL"),
    (Kind::Serial, "--device ce0117114e3b2a3e04"),
    (Kind::Serial, "serial = 3F9664F4"),
    (Kind::Serial, "android_id: 9774d56d682e549c"),
    (Kind::Serial, "serial: 4200912345"),
    (Kind::Serial, "adb-9A241FFAZ00ABC-x7Yz12._adb-tls-connect._tcp"),
    (Kind::Ip, "192.168.1.23:5555"),
    (Kind::Ip, "adb connect 10.1.2.3:37021"),
    (Kind::Ip, "http://192.168.178.1"),
    (Kind::Mac, "3c:5a:b4:01:ef:9c"),
    (Kind::Mac, "AC-DE-48-00-11-22"),
    (Kind::Imei, "352099001761481"),
    (Kind::Imei, "IMEI 35-209900-176148-1"),
    (Kind::Iban, "DE89 3704 0044 0532 0130 00"),
    (Kind::Iban, "GB82WEST12345698765432"),
    (Kind::Card, "4539 1488 0343 6467"),
    (Kind::Card, "5425-2334-3010-9903"),
    (Kind::Card, "371449635398431"),
    (Kind::Nickname, "Anna's iPhone"),
    (Kind::Nickname, "Anna’s AC"),
    (Kind::Nickname, "text_equals: Zoë's living room speaker"),
    (Kind::Nickname, "John's Pixel 8"),
    (Kind::Nickname, "iPhone von Anna"),
    (Kind::Nickname, "Pixel 8 of Anna"),
    (Kind::Nickname, "iPhone de María"),
    (Kind::Nickname, "Annas iPhone"),
    (Kind::Place, "Anna's bedroom"),
    (Kind::Place, "Grandma's house"),
    (Kind::Place, "Casa de Ana"),
    (Kind::Place, "Familie Müller"),
    (Kind::Place, "Smith Residence"),
    (Kind::Uuid, "3f2504e0-4f89-41d3-9a0c-0305e82c3301"),
    (Kind::Account, "account number: 88120045"),
    (Kind::Account, "\"customerId\": \"C-4711-0815\""),
    (Kind::Account, "Order #20394857A"),
];

const LEFT_ALONE: &[&str] = &[
    "Wi-Fi",
    "Battery 87%",
    "Version 3.31.100",
    "version_name: \"3.31.100\"",
    "version_code: 5311000",
    "12:30",
    "12:30:45.123",
    "com.google.android.apps.chromecast.app",
    "resource_id: com.android.settings:id/recycler_view",
    "class: androidx.recyclerview.widget.RecyclerView",
    "android.widget.TextView",
    "2026-01-31",
    "31.01.2026",
    "01-02-2026",
    "01/31/2026",
    "2026-01-31T12:30:00Z",
    "2026-01-31T12:30:00+02:00",
    "2026-01-31T12:30:00.123456789Z",
    "20260131T123000Z",
    "1.2.3-beta.4+build.567",
    "^1.2.3",
    "10.0.19041.1",
    "3.31.100.4",
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "\"sha256\": \"9F86D081884C7D659A2FEAA0C55AD015A3BF4F1B2B0B822CD15D6C15B0F00A08\"",
    "da39a3ee5e6b4b0d3255bfef95601890afd80709",
    "commit 771f132",
    "cmd-a1b2c3d4e5f6",
    "d41d8cd98f00b204e9800998ecf8427e",
    "emulator-5554",
    "--device emulator-5556",
    "127.0.0.1:5037",
    "localhost:3000",
    "0.0.0.0:8080",
    "10.0.2.2:5555",
    "192.0.2.1:5555",
    "user@example.com",
    "someone@mail.example.org",
    "git@github.com:clawperator/clawperator.git",
    "noreply@github.com",
    "icon@2x.png",
    "n12@57",
    "npm install tsx@4.19.2",
    "actions/checkout@v4",
    "@Override",
    "+1 555 0100",
    "+1 (202) 555-0147",
    "(415) 555-0123",
    "+100000 points",
    "x+123456789",
    "1 + 12345678",
    "tel:${inputs.number}",
    "0123456789",
    "1234567890",
    "timeout_ms: 120000",
    "1763197599",
    "1763197599123",
    "1763197599123456",
    "1763197599123456789",
    "[0,0][1080,2400]",
    "bounds: 0,210,1080,2340",
    "0.1234, 0.5678",
    "0.50000,0.75000",
    "ratio 1.3333",
    "1080x2400",
    "1080P60FPS",
    "128GB",
    "5 GHz",
    "SHA256",
    "UTF-8",
    "ISO8601",
    "RFC3339",
    "ANDROID14",
    "API34",
    "X86_64",
    "ARM64-V8A",
    "TQ3A.230805.001",
    "MPEG4AVC",
    "#FF12AB34",
    "0xDEADBEEF",
    "color: FFAA33CC",
    "3F9664F4 1BB341FE",
    "digest: 2A8648CE3D0201AB",
    "I2OPASSTHRU32",
    "serial: XXXXXXXX",
    "serial number: 0123456789ABCDEF",
    "--device ${inputs.device}",
    "--device sim",
    "device_id: <serial>",
    "Serial number",
    "What's new",
    "Let's go home",
    "Today's weather",
    "It's a phone",
    "Google's phone",
    "The phone's screen",
    "Device's home screen",
    "User's phone number",
    "Don't ask again",
    "Other people's devices",
    "Phone of the owner",
    "Home",
    "Living room",
    "Bedroom AC",
    "Smart home",
    "Home – Google",
    "Add a home address",
    "3 devices",
    "Step 3: Scroll to Devices",
    "5 of 12",
    "2 Google Drive files",
    "1 Way",
    "Spring 2026",
    "Parkplatz 3",
    "100 Best Apps",
    "Via Bluetooth 5",
    "Bluetooth 5.3",
    "Wi-Fi 6E",
    "Galaxy S24 Ultra",
    "Pixel 8 Pro",
    "Pixel 9 de Google",
    "4242 4242 4242 4242",
    "378282246310005",
    "0000 0000 0000 0000",
    "R5CT0000000",
    "02:15:b2:00:00:01",
    "+1 555 123 4567",
    "scale 1.40625, 1.40597539543058",
    "adb-SERIAL-XXXXXX._adb-tls-connect._tcp",
    "000000000000000",
    "00000000-0000-0000-0000-000000000000",
    "0000180f-0000-1000-8000-00805f9b34fb",
    "00:00:00:00:00:00",
    "02:00:00:00:00:00",
    "AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89:AB:CD:EF:01",
    "account number",
    "Account number: ${inputs.account}",
    "user_id: ",
    "Order number",
    "Order by date",
    "customer id required",
    "recipe_id: com.google.android.apps.chromecast.app.toggle-power",
    "last_verified_at: 2026-03-01T09:00:00Z",
    "https://github.com/clawperator/clawperator/issues/1234",
    "https://example.com/a?b=12345678&c=ABCDEF12",
    "text_contains: ${inputs.ac_tile_name}",
    "default: \"\"",
    "android_api: 34",
    "Temperature 21.5 °C",
    "Alarm set for 7:45 AM",
    "$1,234.56",
    "1,234,567.89",
    "50% – 12 h 30 min left",
    "§ 12 (3)",
    "F12",
    "Ctrl+Shift+F10",
    "QR code",
    "IPv4 address",
    "IP address",
    "MAC address",
    "IMEI",
    "Sign in with email",
    "Lorem ipsum dolor sit amet",
];

#[test]
fn what_belongs_to_somebody_is_found() {
    let mut wrong = Vec::new();
    for (kind, text) in FOUND {
        let found = scan(text, Options::default());
        let kinds: Vec<Kind> = found.into_iter().map(|finding| finding.kind).collect();
        if kinds != [*kind] {
            wrong.push((text, kinds));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(FOUND.len() >= 60);
}

#[test]
fn ordinary_texts_are_left_alone() {
    let mut wrong = Vec::new();
    for &text in LEFT_ALONE {
        for text in [text.to_owned(), format!("  text_equals: \"{text}\"  # as seen")] {
            let found = scan(&text, Options::default());
            wrong.extend(found.first().map(|finding| (text, finding.kind)));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(LEFT_ALONE.len() >= 100);
}

#[test]
fn each_kind_that_can_be_allowed_is_found_by_some_rule() {
    for kind in Kind::ALLOWABLE {
        assert!(FOUND.iter().any(|(found, _)| found == kind), "{}", kind.name());
        assert_eq!(serde_json::to_value(kind).unwrap(), kind.name());
    }
}

#[test]
fn a_finding_has_its_place_in_characters_and_does_not_hold_the_text() {
    let findings = scan("ok\nÄ: „Anna's iPhone“ x\n", Options::default());
    let finding = &findings[0];
    assert_eq!((finding.line, finding.column, finding.length), (2, 5, 13));
    assert_eq!(finding.masked, "A********");
    let json = serde_json::to_string(finding).unwrap();
    assert!(!json.contains("Anna"), "{json}");
    assert_eq!(mask("Jo"), "**");
}

#[test]
fn the_denylist_comes_first_and_only_is_kept_to() {
    let denylist = Denylist::parse("anna").unwrap();
    let text = "Anna's iPhone, serial: 4200912345";
    let kinds = |options| -> Vec<Kind> {
        scan(text, options).into_iter().map(|finding| finding.kind).collect()
    };
    let only = Some(Kind::DEVICES);
    assert_eq!(
        kinds(Options { denylist: Some(&denylist), only: None }),
        [Kind::Denied, Kind::Serial]
    );
    assert_eq!(kinds(Options { denylist: None, only }), [Kind::Serial]);
    assert_eq!(kinds(Options::default()), [Kind::Nickname, Kind::Serial]);
}

#[test]
fn an_allow_comment_with_a_reason_covers_its_line_and_the_next() {
    for text in [
        "# clawperator:allow email the vendor's public address\na: help@vendor.com",
        "a: help@vendor.com # clawperator:allow email the vendor's public address",
        "<!-- clawperator:allow email public -->\nhelp@vendor.com",
        "// clawperator:allow email,phone public\nhelp@vendor.com +49 30 901820 12",
        "/* clawperator:allow email public */ help@vendor.com",
    ] {
        assert_eq!(scan(text, Options::default()), [], "{text}");
    }
}

#[test]
fn an_allow_comment_that_is_wrong_or_unused_is_told() {
    let kinds = |text: &str| -> Vec<Kind> {
        scan(text, Options::default()).into_iter().map(|finding| finding.kind).collect()
    };
    for text in [
        "# clawperator:allow email",
        "# clawperator:allow email  ...",
        "# clawperator:allow",
        "# clawperator:allow name because",
        "# clawperator:allow denied because",
        "# clawperator:allowemail because",
        "<!-- clawperator:allow email -->",
    ] {
        assert_eq!(
            kinds(&format!("{text}\nhelp@vendor.com")),
            [Kind::AllowInvalid, Kind::Email],
            "{text}"
        );
    }
    assert_eq!(
        kinds("# clawperator:allow email why\n\nhelp@vendor.com"),
        [Kind::AllowUnused, Kind::Email]
    );
    assert_eq!(
        kinds("# clawperator:allow phone why\nhelp@vendor.com"),
        [Kind::AllowUnused, Kind::Email]
    );
    assert_eq!(kinds("say clawperator:allow email why"), [], "no comment");
    let unused = &scan("# clawperator:allow email why", Options::default())[0];
    assert_eq!(unused.severity, Severity::Warning);
}

#[test]
fn the_denylist_cannot_be_overruled_by_a_file() {
    let denylist = Denylist::parse("vendor").unwrap();
    let options = Options { denylist: Some(&denylist), only: None };
    let found = scan("# clawperator:allow email why\nhelp@vendor.com", options);
    assert!(found.iter().any(|finding| finding.kind == Kind::Denied), "{found:?}");
}

proptest::proptest! {
    #[test]
    fn any_text_is_scanned_without_harm(text in "(?s).{0,200}", term in "\\PC{2,5}") {
        let denylist = Denylist::parse(&term).unwrap_or_default();
        let options = Options { denylist: Some(&denylist), only: None };
        let lines = u64::try_from(text.lines().count()).unwrap();
        for finding in scan(&text, options) {
            proptest::prop_assert!((1..=lines).contains(&finding.line));
        }
    }

    #[test]
    fn a_term_is_found_in_capitals_at_its_place(
        term in "[a-zäö€]{2}[a-zäö€ ]{0,6}[a-z]", before in "[A-ZÄİ ,]{0,6} ",
    ) {
        let denylist = Denylist::parse(&term).unwrap();
        let options = Options { denylist: Some(&denylist), only: Some(&[]) };
        let found = scan(&format!("{before}{} !", term.to_uppercase()), options);
        let column = u64::try_from(before.chars().count()).unwrap() + 1;
        proptest::prop_assert!(found.iter().any(|finding| finding.column == column));
    }
}
