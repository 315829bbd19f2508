import { existsSync, readFileSync } from "node:fs";
import { findChromium, findFaketime, findHaproxy, findMariadb, findOnPath, findPostgres } from "./find-programs.mjs";
import { PlainError } from "./repository.mjs";
import { runCaptured } from "./run-captured.mjs";

/**
 * Programs that tests use and npm cannot install.
 * @typedef {object} SystemProgram
 * @property {string} name
 * @property {string[]} suites that use it
 * @property {boolean} required whether those suites cannot run without it
 * @property {() => string | undefined} find its path; undefined when it is missing
 * @property {string[]} aptPackages each has it, the best first; not every Debian or Ubuntu offers all of them
 * @property {{ apt: string, brew: string, dnf: string, winget: string }} install the command for each platform
 */

/** @type {SystemProgram[]} */
const systemPrograms = [
  {
    name: "Chromium",
    suites: ["journeys"],
    required: true,
    find: findChromium,
    aptPackages: ["chromium-headless-shell", "chromium"],
    install: {
      apt: "sudo apt-get install chromium   (Ubuntu: google-chrome-stable from google.com/chrome, its chromium is a snap)",
      brew: "brew install --cask google-chrome",
      dnf: "sudo dnf install chromium",
      winget: "winget install Google.Chrome",
    },
  },
  {
    name: "PostgreSQL",
    suites: ["database"],
    required: true,
    find: findPostgres,
    aptPackages: ["postgresql"],
    install: {
      apt: "sudo apt-get install postgresql",
      brew: "brew install postgresql@17",
      dnf: "sudo dnf install postgresql-server",
      winget: "winget install PostgreSQL.PostgreSQL.17",
    },
  },
  {
    name: "MariaDB",
    suites: ["database"],
    required: false,
    find: () => findMariadb()?.server,
    aptPackages: ["mariadb-server"],
    install: {
      apt: "sudo apt-get install mariadb-server",
      brew: "brew install mariadb",
      dnf: "sudo dnf install mariadb-server",
      winget: "(use WSL)",
    },
  },
  {
    name: "libfaketime",
    suites: ["faults"],
    required: false,
    find: findFaketime,
    aptPackages: ["libfaketime"],
    install: {
      apt: "sudo apt-get install libfaketime",
      brew: "(Linux alone)",
      dnf: "sudo dnf install libfaketime",
      winget: "(Linux alone)",
    },
  },
  {
    name: "HAProxy",
    suites: ["faults"],
    required: false,
    find: findHaproxy,
    aptPackages: ["haproxy"],
    install: {
      apt: "sudo apt-get install haproxy",
      brew: "brew install haproxy",
      dnf: "sudo dnf install haproxy",
      winget: "(use WSL)",
    },
  },
  {
    name: "Redis",
    suites: ["database", "faults"],
    required: false,
    find: () => findOnPath("redis-server", "valkey-server"),
    aptPackages: ["redis-server"],
    install: {
      apt: "sudo apt-get install redis-server",
      brew: "brew install redis",
      dnf: "sudo dnf install valkey",
      winget: "(use WSL)",
    },
  },
  {
    name: "Chinese fonts",
    suites: ["journeys"],
    required: false,
    find: findChineseFonts,
    aptPackages: ["fonts-noto-cjk"],
    install: {
      apt: "sudo apt-get install fonts-noto-cjk",
      brew: "brew install --cask font-noto-sans-cjk",
      dnf: "sudo dnf install google-noto-sans-cjk-fonts",
      winget: "(part of Windows)",
    },
  },
];

/** Other systems bring such fonts themselves. */
function findChineseFonts() {
  if (process.platform !== "linux") return "system fonts";
  const places = [
    "opentype/noto/NotoSansCJK-Regular.ttc",
    "google-noto-sans-cjk-fonts",
    "google-noto-sans-cjk-vf-fonts",
    "noto-cjk",
  ];
  return places.map((place) => `/usr/share/fonts/${place}`).find((place) => existsSync(place));
}

/**
 * Ensures the programs of the suites: as root on Debian or Ubuntu it installs missing ones, elsewhere it prints the
 * commands. Throws a PlainError if a required one is still missing.
 * @param {string[]} suites that will run
 */
export async function ensureSystemPrograms(suites) {
  const used = systemPrograms.filter((program) => program.suites.some((suite) => suites.includes(suite)));
  const missing = () => used.filter((program) => program.find() === undefined);
  let lacking = missing();
  if (lacking.length === 0) return;
  let problem = "";
  if (canUseApt()) {
    problem = await installWithApt(lacking);
    lacking = missing();
  }
  const lines = lacking.map((program) => `  ${program.name} (${usersOf(program, suites)}): ${installCommand(program)}`);
  if (lacking.some((program) => program.required)) {
    throw new PlainError(
      [...(problem ? [problem] : []), "Missing for the tests, please install:", ...lines].join("\n"),
    );
  }
  if (lacking.length > 0) console.log(["Not installed, and not needed by any test yet:", ...lines].join("\n"));
}

/** @param {SystemProgram} program @param {string[]} suites */
function usersOf(program, suites) {
  return program.suites.filter((suite) => suites.includes(suite)).join(", ");
}

function canUseApt() {
  return process.getuid?.() === 0 && isDebian() && findOnPath("apt-get") !== undefined;
}

function isDebian() {
  try {
    return /^(?:ID|ID_LIKE)=.*\b(?:debian|ubuntu)\b/m.test(readFileSync("/etc/os-release", "utf8"));
  } catch {
    return false;
  }
}

/** @param {SystemProgram[]} programs @returns {Promise<string>} what went wrong, empty when nothing did */
async function installWithApt(programs) {
  console.log(`Installing ${programs.map(({ name }) => name).join(", ")} (first test run)…`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const update = await runCaptured("apt-get", ["update", "-q"], { env });
  const offered = await Promise.all(programs.map(({ aptPackages }) => firstOffered(aptPackages)));
  // One that apt does not know would keep all others from being installed.
  const packages = offered.filter((name) => name !== undefined);
  if (packages.length === 0) return update.ok ? "" : update.output;
  const install = await runCaptured("apt-get", ["install", "-y", "-q", "--no-install-recommends", ...packages], {
    env,
  });
  if (install.ok) return "";
  return `${update.ok ? "" : update.output}${install.output}\napt-get could not install ${packages.join(", ")} (${install.ending}).`;
}

/** The first that apt knows. @param {string[]} packages @returns {Promise<string | undefined>} */
async function firstOffered([name, ...others]) {
  if (name === undefined) return undefined;
  return (await runCaptured("apt-cache", ["show", "-q", name])).ok ? name : firstOffered(others);
}

/** @param {SystemProgram} program */
function installCommand(program) {
  if (process.platform === "darwin") return program.install.brew;
  if (process.platform === "win32") return program.install.winget;
  return findOnPath("dnf") && !isDebian() ? program.install.dnf : program.install.apt;
}
