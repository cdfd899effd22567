// Runs the skill's template on a phone and prints what came of it.
//
//   run.ts <device> [operator package]
//
// Only syntax that is also JavaScript: Node 22.18 and newer take the types out of a .ts file
// themselves, and older ones can run this one as it is.

const { spawnSync } = require("node:child_process");
const { existsSync } = require("node:fs");
const { join } = require("node:path");

const SKILL = "@ID@";
const TEMPLATE = "@INTENT@";
const REGISTRY = join(__dirname, "../../skills-registry.json");
const TIME_MS = 120_000;

/** The program: a file, or a command line with quotes. */
function program() {
  const named = process.env.CLAWPERATOR_BIN || "clawperator";
  if (existsSync(named)) {
    return /\.[cm]?js$/.test(named) ? [process.execPath, named] : [named];
  }
  const words = named.match(/"[^"]*"|'[^']*'|\S+/g) || ["clawperator"];
  return words.map((word) => word.replace(/^(["'])(.*)\1$/, "$2"));
}

/** Runs the program. What fails ends this script with the same answer and the same exit code. */
function run(args, input) {
  const [file, ...first] = program();
  const ran = spawnSync(file, [...first, ...args], {
    input: input || "",
    encoding: "utf8",
    timeout: TIME_MS,
    maxBuffer: 64 * 1024 * 1024,
  });
  process.stderr.write(ran.stderr || "");
  if (ran.error || ran.status !== 0) {
    process.stdout.write(ran.stdout || "");
    if (ran.error) {
      console.error(`[skill:${SKILL}] ${file}: ${ran.error.message}`);
    }
    process.exit(ran.status || 1);
  }
  return ran.stdout;
}

const [device, operator] = process.argv.slice(2);
if (!device) {
  console.error(`usage: run.ts <device> [operator package]   (skill ${SKILL})`);
  process.exit(2);
}
const operatorPackage = operator || process.env.CLAWPERATOR_OPERATOR_PACKAGE;
const values = {};
const compiled = JSON.parse(
  run([
    "skills", "compile-artifact", SKILL, "--artifact", TEMPLATE, "--registry", REGISTRY,
    "--vars", JSON.stringify(values), "--json",
  ]),
);
const target = ["--device", device];
if (operatorPackage) {
  target.push("--operator-package", operatorPackage);
}
process.stdout.write(
  run(["exec", "-", ...target, "--json"], JSON.stringify(compiled.execution)),
);
