import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fromRoot, PlainError } from "./repository.mjs";

const minimum = { major: 24, minor: 7 };
const isWindows = process.platform === "win32";

/**
 * Path of the Node that runs the TypeScript sources: the one npm brought for this platform, else this process's own when it is
 * new enough (24.7). Throws a PlainError that says what to install when there is neither.
 * @returns {string}
 */
export function runtimeNode() {
  const bundled = bundledNodes().find((file) => existsSync(file) && isNewEnough(versionOf(file)));
  if (bundled !== undefined) return bundled;
  if (isNewEnough(process.version)) return process.execPath;
  throw new PlainError(
    [
      `One API runs on Node ${minimum.major}.${minimum.minor} or newer; this is Node ${process.version}, and npm has none that runs on`,
      `${process.platform}-${process.arch}. Install Node ${minimum.major} and start again with it:`,
      `  ${installHint()}`,
      "If npm could not download its own, `npm ci --include=optional` tries again.",
    ].join("\n"),
  );
}

function bundledNodes() {
  const name = `${isWindows ? "win" : process.platform}-${process.arch}`;
  const program = isWindows ? "node.exe" : "node";
  return [`node-${name}`, `node-bin-${name}`].map((folder) => fromRoot("node_modules", folder, "bin", program));
}

/** @param {string} file @returns {string} such as `v24.9.0`; empty when it cannot run here (another C library, another CPU) */
function versionOf(file) {
  const run = spawnSync(file, ["--version"], { encoding: "utf8", timeout: 20_000, windowsHide: true });
  return run.status === 0 ? run.stdout.trim() : "";
}

/** @param {string} version */
function isNewEnough(version) {
  const [major = 0, minor = 0] = version.replace(/^v/, "").split(".").map(Number);
  return major > minimum.major || (major === minimum.major && minor >= minimum.minor);
}

function installHint() {
  if (process.platform === "darwin") return 'brew install node@24 && export PATH="$(brew --prefix node@24)/bin:$PATH"';
  if (isWindows) return "winget install OpenJS.NodeJS.LTS";
  if (existsSync("/etc/alpine-release")) return "apk add nodejs-current npm";
  return "https://nodejs.org/en/download (or `npx n 24`, `nvm install 24`, `fnm install 24`)";
}
