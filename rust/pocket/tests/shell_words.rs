//! What shell text may run: the tricks that get past a list, and agreement with a real shell.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

use std::process::{Command, Stdio};

use clawperator_pocket::shell_words::{EXEC_COMMANDS, Policy, SCRIPT_COMMANDS, Why, parse};
use proptest::prelude::*;

fn policy() -> Policy {
    Policy::new(["echo", "ls", "cat", "grep", "env", "xargs", "bash", "sh", "find", "rm", "adb"])
}

fn why(text: &str) -> Why {
    match policy().check(text) {
        Err(refusal) => refusal.why,
        Ok(commands) => panic!("{text:?} was allowed: {commands:?}"),
    }
}

fn programs(text: &str) -> Vec<String> {
    let commands = policy().check(text).unwrap_or_else(|refusal| panic!("{text:?}: {refusal}"));
    commands.iter().filter_map(|simple| Some(simple.words.first()?.text.clone())).collect()
}

#[test]
fn plain_commands_on_the_list_run() {
    for (text, expected) in [
        ("echo \"a; b\" && ls | cat", vec!["echo", "ls", "cat"]),
        ("(echo a; ls) > out.txt 2>&1", vec!["echo", "ls"]),
        ("echo a & ls\n# curl\ncat x", vec!["echo", "ls", "cat"]),
        ("echo curl sudo '$(id)' \\`", vec!["echo"]),
        ("X=1 Y=\"$X\" ls \"$X\" ${X:-a} *.txt {a,b}", vec!["ls"]),
        (
            "if ls; then echo a; elif cat; then ls; else echo b; fi",
            vec!["ls", "echo", "cat", "ls", "echo"],
        ),
        ("for f in a b; do echo $f; done", vec!["echo"]),
        ("! ls || { cat x; }", vec!["ls", "cat"]),
        ("cat <<'EOF' | grep x\n$(id) `id`\nEOF\nls", vec!["cat", "grep", "ls"]),
        ("cat <<-E\n\tplain $X\n\tE\nls", vec!["cat", "ls"]),
        ("l\\\ns", vec!["ls"]),
        ("/usr/bin/ls; l's'; \\ls", vec!["/usr/bin/ls", "ls", "ls"]),
        ("echo $((1+2)) 2>/dev/null", vec!["echo"]),
        (
            "env A=1 ls; ls | xargs -n1 echo; bash -c 'ls; echo $1' x",
            vec!["env", "ls", "xargs", "bash"],
        ),
        ("find . -name '*.rs' -exec grep x {} +", vec!["find"]),
        ("rm -r build; rm -f a", vec!["rm", "rm"]),
        ("adb -s emu shell input tap 1 2", vec!["adb"]),
    ] {
        assert_eq!(programs(text), expected, "{text}");
    }
}

#[test]
fn a_program_that_is_not_on_the_list_is_found_wherever_it_hides() {
    for text in [
        "zz",
        "ls; zz",
        "ls & zz",
        "ls && zz",
        "ls || zz",
        "ls | zz",
        "ls |& zz",
        "ls\nzz",
        "(zz)",
        "{ zz; }",
        "! zz",
        "X=1 zz",
        ">f zz",
        "2>f zz",
        "if zz; then ls; fi",
        "while ls; do zz; done",
        "for x in a; do zz; done",
        "echo 'a'\nzz",
        "echo \\\\\nzz",
        "# x \\\nzz",
        "cat <<E\nE\nzz",
        "cat <<'E'\nx\nE\nzz",
        "'zz'",
        "\"z\"z",
        "z\\z",
        "z\\\nz",
        "env zz",
        "env X=1 zz",
        "env -i -u Y X=1 zz",
        "ls | xargs zz",
        "xargs -n 1 zz",
        "bash -c zz",
        "sh -ec 'ls; zz'",
        "bash -c \"bash -c 'zz'\"",
        "find . -exec zz {} \\;",
        "./ls",
        "/tmp/ls",
        "ls;\tzz",
        "\u{0455}h -c x",
        "ls\u{301}",
        "''",
        "echo a &zz",
        "ls &>f;zz",
        "echo a# ; zz",
        "env env zz",
        "echo ';' ; zz",
    ] {
        assert!(matches!(why(text), Why::NotAllowed(_)), "{text:?}: {:?}", why(text));
    }
}

#[test]
fn what_only_a_run_would_tell_is_refused() {
    for text in [
        "echo $(id)",
        "echo \"$(id)\"",
        "echo `id`",
        "echo \"`id`\"",
        "$X",
        "\"$X\" a",
        "l$X",
        "$'zz'",
        "eval ls",
        "source x",
        ". x",
        "cat <(ls)",
        "ls >(cat)",
        "{ls,-l}",
        "/bin/l?",
        "~/x",
        "echo $\\\n(id)",
        "echo \"$\\\n(id)\"",
        "cat <<E\n$(id)\nE",
        "cat <<E\n`id`\nE",
        "f() { ls; }; f",
        "ls() { rm x; }",
        "a=(1 2)",
        "case x in x) ls;; esac",
        "[[ -n x ]]",
        "((x))",
        "echo $((x))",
        "echo ${x[0]}",
        "echo ${!x}",
        "echo ${x@P}",
        "echo ${x:-$(id)}",
        "echo $[x]",
        "bash",
        "bash x.sh",
        "ls | sh",
        "bash -c \"$X\"",
        "bash -s",
        "sh <<E\nls\nE",
        "trap 'ls' EXIT",
        "alias ls=rm",
        "ls \u{202e}x",
        "ls\u{a0}zz",
        "ls\rzz",
        "ls \0",
        "xargs -I ls ls",
        "xargs -I {} {}",
        "xargs bash -c",
        "env -S 'zz'",
        "env \"$X\"",
        "find \"$X\" ls",
        "find . -exec {} \\;",
        "time ls",
        "function f { ls; }",
        "coproc ls",
        "ls > $X",
        "cat < $X",
        "ls {a[X]}>f",
        "adb shell \"$X\"",
        "adb shell 'echo $(id)'",
    ] {
        assert!(matches!(why(text), Why::Undecidable(_)), "{text:?}: {:?}", why(text));
    }
}

#[test]
fn safety_rules_hold_for_programs_on_the_list() {
    let all = Policy::new(["*"]);
    for text in [
        "sudo ls",
        "ls; su",
        "curl x",
        "mkfs.ext4 x",
        "rm -rf x",
        "rm -r -f x",
        "rm -fr x",
        "rm x -rf",
        "rm --recursive --force x",
        "rm -r /",
        "rm -r ../x",
        "rm -r *",
        "rm $X",
        "rm '-rf' x",
        "env rm -rf x",
        "ls | xargs rm",
        "find . -exec rm -r {} \\;",
        "find . -exec rm + -rf /x \\;",
        "find . -delete",
        "bash -c 'rm -rf x'",
        "dd if=a of=b",
        "PATH=/tmp ls",
        "LD_PRELOAD=x ls",
        "env PATH=. ls",
        "export PATH=.",
        "read PATH",
        "for PATH in .; do ls; done",
        "echo x > /etc/passwd",
        "echo x > ../x",
        "cat < /dev/tcp/a/1",
        "cd /",
        "cd ..",
        "cd",
        "chmod -R 777 /",
        "git -c alias.x='!zz' x",
        "adb shell rm -rf /sdcard",
        "adb shell 'ls; reboot'",
        "adb reboot",
        "busybox wget x",
        "/usr/bin/sudo ls",
    ] {
        let refusal = all.check(text).expect_err(text);
        assert!(matches!(refusal.why, Why::Denied(_)), "{text:?}: {refusal}");
    }
}

#[test]
fn what_no_shell_reads_is_refused() {
    for text in [
        "ls &&",
        "| ls",
        "ls ;; ls",
        "echo 'a",
        "echo \"a",
        "(ls",
        "ls)",
        "{ ls; ",
        "if ls; fi",
        "ls; done",
        "for 1 in a; do ls; done",
        "ls >",
        "cat <<E",
        "cat <<E\nx",
        "ls \\",
        "& ls",
    ] {
        assert!(matches!(why(text), Why::Syntax(_)), "{text:?}: {:?}", why(text));
    }
    assert_eq!(why(" \n# only this\n"), Why::Empty);
    assert!(matches!(why(&"(".repeat(10_000)), Why::Undecidable(_)));
    assert!(matches!(why(&"( ".repeat(5_000)), Why::Undecidable(_)));
    assert!(matches!(why(&"{ ".repeat(5_000)), Why::Undecidable(_)));
    assert!(matches!(why(&"x".repeat(12_001)), Why::TooLong(_)));
}

#[test]
fn a_refusal_names_its_place() {
    let refusal = policy().check("ls\necho ä; zz").unwrap_err();
    assert_eq!((refusal.line, refusal.column), (2, 9));
    assert_eq!(
        refusal.to_string(),
        "line 2, column 9: command 'zz' is not on the list of allowed commands"
    );
}

#[test]
fn the_usual_lists_allow_their_programs() {
    for (names, text) in
        [(&SCRIPT_COMMANDS[..], "adb devices | grep x"), (&EXEC_COMMANDS[..], "git status; ls")]
    {
        Policy::new(names.iter().copied()).check(text).unwrap();
    }
}

const PIECES: [&str; 46] = [
    "aa",
    "aa",
    "aa",
    "zz",
    " ",
    " ",
    " ",
    " ",
    "\n",
    ";",
    "&",
    "&&",
    "||",
    "|",
    "(",
    ")",
    "{ ",
    "; }",
    "'",
    "\"",
    "\\",
    "\\\n",
    "$",
    "$X",
    "`",
    "#",
    ">f",
    "2>&1",
    "<",
    "<<E\n",
    "\nE\n",
    "E",
    "<<'E'\n",
    "if ",
    "; then ",
    "; fi",
    "for x in ",
    "; do ",
    "; done",
    "! ",
    "X=1 ",
    "{aa,zz}",
    "=",
    "$((1))",
    "*",
    "&>f ",
];

/// Lines that look like shell, the same in every run.
fn lines(count: usize) -> Vec<String> {
    let mut seed: u64 = 42;
    let mut next = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(seed >> 33).unwrap() % below
    };
    (0..count)
        .map(|_| {
            let length = 1 + next(9);
            (0..length).map(|_| PIECES[next(PIECES.len())]).collect()
        })
        .collect()
}

#[test]
fn what_we_read_a_real_shell_reads_too() {
    let accepted: Vec<String> =
        lines(6000).into_iter().filter(|line| parse(line).is_ok()).take(400).collect();
    assert!(accepted.len() > 200, "only {} lines to compare", accepted.len());
    for line in accepted {
        let status = Command::new("bash").args(["-n", "-c", &line]).stderr(Stdio::null()).status();
        assert!(status.unwrap().success(), "bash does not read {line:?}");
    }
}

#[test]
fn a_real_shell_runs_only_what_was_allowed() {
    // No program can be found, so the shell tells us each name it would have run.
    const REPORT: &str = "command_not_found_handle() { printf '%s\\n' \"$1\" >&9; }\n";
    let dir = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("shell-words");
    std::fs::create_dir_all(&dir).unwrap();
    let policy = Policy::new(["aa"]);
    let mut ran = 0;
    let allowed = lines(12_000).into_iter().filter(|line| policy.check(line).is_ok());
    for line in allowed.take(300) {
        let output = Command::new("/bin/bash")
            .args(["-c", &format!("exec 9>&2 2>/dev/null\n{REPORT}{line}\nwait")])
            .env_clear()
            .env("PATH", "/nonexistent")
            .current_dir(&dir)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        for name in String::from_utf8(output.stderr).unwrap().lines() {
            assert_eq!(name, "aa", "{line:?} ran {name}");
            ran += 1;
        }
    }
    assert!(ran > 100, "only {ran} programs ran: nothing was compared");
}

#[test]
fn a_test_may_compare_but_not_name_variables() {
    let policy = Policy::new(["[", "test"]);
    for text in ["[ \"$X\" = a ]", "[ ! -n \"$X\" ]", "test -f a", "[ -f a -a -d b ]"] {
        policy.check(text).unwrap_or_else(|refusal| panic!("{text}: {refusal}"));
    }
    for text in ["[ -v 'a[x]' ]", "[ $X ]", "[ \"$X\" \"$Y\" ]", "test a = a -a \"$X\" \"$Y\""] {
        let refusal = policy.check(text).expect_err(text);
        assert!(matches!(refusal.why, Why::Undecidable(_)), "{text}: {refusal}");
    }
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(text in "(\\PC|\n|[$`'\"\\\\(){}<>|&;#*~=]){0,60}") {
        let _ = policy().check(&text);
    }

    #[test]
    fn quoting_hides_anything_from_the_shell(text in "[ -~]{0,40}") {
        let quoted = format!("echo '{}'", text.replace('\'', "'\\''"));
        let commands = policy().check(&quoted).unwrap();
        prop_assert_eq!(commands.len(), 1);
        prop_assert_eq!(&commands[0].words[1].text, &text);
    }
}
