import { readFileSync } from "node:fs";
import { PlainError } from "../lib/plain-error.mjs";
import { runCaptured } from "../lib/run-captured.mjs";
import { findOnPath } from "./find-on-path.mjs";
import { systemPrograms } from "./system-programs.mjs";

/** @typedef {import("./system-programs.mjs").SystemProgram} SystemProgram */

/**
 * Sees to it that the programs of these rings are there: as root on Debian or Ubuntu it installs what is missing, elsewhere it says
 * what to install. Throws a PlainError when a ring could not run without something that is missing still.
 * @param {string[]} rings that will run
 */
export async function ensureSystemPrograms(rings) {
  const used = systemPrograms.filter((program) => program.rings.some((ring) => rings.includes(ring)));
  const missing = () => used.filter((program) => program.find() === undefined);
  let lacking = missing();
  if (lacking.length === 0) return;
  let problem = "";
  if (canUseApt()) {
    problem = await installWithApt(lacking);
    lacking = missing();
  }
  const lines = lacking.map((program) => `  ${program.name} (${usersOf(program, rings)}): ${installCommand(program)}`);
  if (lacking.some((program) => program.required)) {
    throw new PlainError(
      [...(problem ? [problem] : []), "Missing for the tests, please install:", ...lines].join("\n"),
    );
  }
  if (lacking.length > 0) console.log(["Not installed, and not needed by any test yet:", ...lines].join("\n"));
}

/** @param {SystemProgram} program @param {string[]} rings */
function usersOf(program, rings) {
  return program.rings.filter((ring) => rings.includes(ring)).join(", ");
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
  const packages = programs.flatMap((program) => program.aptPackages);
  console.log(`Installing ${packages.join(", ")} (first test run)…`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const update = await runCaptured("apt-get", ["update", "-q"], { env });
  const install = await runCaptured("apt-get", ["install", "-y", "-q", "--no-install-recommends", ...packages], {
    env,
  });
  if (install.ok) return "";
  return `${update.ok ? "" : update.output}${install.output}\napt-get could not install ${packages.join(", ")} (${install.ending}).`;
}

/** @param {SystemProgram} program */
function installCommand(program) {
  if (process.platform === "darwin") return program.install.brew;
  if (process.platform === "win32") return program.install.winget;
  return findOnPath("dnf") && !isDebian() ? program.install.dnf : program.install.apt;
}
