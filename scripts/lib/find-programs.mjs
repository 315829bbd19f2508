import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, readdirSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { PlainError } from "./repository.mjs";

const isWindows = process.platform === "win32";

/**
 * The Chromium (or Chrome) for the browser journeys: `CHROMIUM_PATH`, else one that is installed.
 * @returns {string | undefined}
 */
export function findChromium() {
  const named = process.env["CHROMIUM_PATH"];
  if (named && !isExecutable(named))
    throw new PlainError(`CHROMIUM_PATH is ${named}, which is no program: name Chromium's file.`);
  return named || installedBrowsers().find((file) => isExecutable(file) && runs(file));
}

/** @returns {string[]} */
function installedBrowsers() {
  if (process.platform === "darwin") {
    const places = ["/Applications", path.join(homedir(), "Applications")];
    return ["Chromium", "Google Chrome"].flatMap((name) =>
      places.map((place) => `${place}/${name}.app/Contents/MacOS/${name}`),
    );
  }
  if (process.platform === "win32") {
    const places = ["ProgramFiles", "ProgramFiles(x86)", "LOCALAPPDATA"].map((name) => process.env[name] ?? "");
    return ["Chromium", "Google/Chrome"].flatMap((name) =>
      places.map((place) => path.join(place, name, "Application/chrome.exe")),
    );
  }
  // The first has no window system: tests need none, and it uses less memory and time.
  const names = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
  const onPath = names.map((name) => findOnPath(name) ?? "");
  const downloaded = versionedFolders(path.join(homedir(), ".cache", "ms-playwright"), "chromium-");
  return [
    ...onPath.filter(Boolean),
    ...downloaded.flatMap((folder) => [`${folder}/chrome-linux/chrome`, `${folder}/chrome-linux64/chrome`]),
  ];
}

/**
 * Ubuntu's package is a stub that only points to a snap, so the program is asked on Linux. Chrome on Windows would open a window.
 * @param {string} file
 */
function runs(file) {
  return (
    process.platform !== "linux" || spawnSync(file, ["--version"], { stdio: "ignore", timeout: 30_000 }).status === 0
  );
}

/**
 * The folder with PostgreSQL's server programs: `POSTGRES_BIN`, else an installed one.
 * @returns {string | undefined}
 */
export function findPostgres() {
  const named = process.env["POSTGRES_BIN"];
  if (named && !hasServer(named))
    throw new PlainError(`POSTGRES_BIN is ${named}, which has no initdb: name the folder of PostgreSQL's programs.`);
  return named || postgresFolders().find(hasServer);
}

/** @returns {string[]} */
function postgresFolders() {
  const initdb = findOnPath("initdb");
  const homebrew = ["/opt/homebrew/opt", "/usr/local/opt"].flatMap((folder) => versionedFolders(folder, "postgresql"));
  const versions = [
    ...versionedFolders("/usr/lib/postgresql", ""),
    ...versionedFolders("/usr", "pgsql-"),
    ...homebrew,
    ...versionedFolders("C:\\Program Files\\PostgreSQL", ""),
  ];
  return [
    ...(initdb ? [path.dirname(realpathSync(initdb))] : []),
    ...versions.map((folder) => path.join(folder, "bin")),
  ];
}

/** @param {string} folder */
function hasServer(folder) {
  const ending = process.platform === "win32" ? ".exe" : "";
  return ["initdb", "pg_ctl", "postgres"].every((program) => isExecutable(path.join(folder, program + ending)));
}

/**
 * MariaDB's server and the program that makes its data folder, for tests of the import; undefined unless both are installed.
 * @returns {{ server: string, install: string } | undefined}
 */
export function findMariadb() {
  const server = findOnPath("mariadbd") ?? ["/usr/sbin/mariadbd", "/usr/libexec/mariadbd"].find(isExecutable);
  const install = findOnPath("mariadb-install-db");
  return server && install ? { server, install } : undefined;
}

/** @returns {string | undefined} */
export function findHaproxy() {
  return findOnPath("haproxy") ?? ["/usr/sbin/haproxy", "/usr/local/sbin/haproxy"].find(isExecutable);
}

/**
 * The library of libfaketime that moves the clock of a program with threads; undefined where it is not installed.
 * @returns {string | undefined}
 */
export function findFaketime() {
  const folders = ["x86_64", "aarch64"].map((machine) => `/usr/lib/${machine}-linux-gnu/faketime`);
  const files = [...folders, "/usr/lib64/faketime"].map((folder) => path.join(folder, "libfaketimeMT.so.1"));
  return files.find((file) => existsSync(file));
}

/**
 * Absolute path of the first of these programs that PATH has; undefined when it has none.
 * @param {...string} names without `.exe`
 * @returns {string | undefined}
 */
export function findOnPath(...names) {
  const folders = (process.env["PATH"] ?? "").split(path.delimiter).filter(Boolean);
  const files = names.flatMap((name) => folders.map((folder) => path.join(folder, isWindows ? `${name}.exe` : name)));
  return files.find(isExecutable);
}

/** @param {string} file */
function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Paths below a folder whose names begin like this, the highest version first: `versionedFolders("/usr/lib/postgresql", "")`.
 * @param {string} folder
 * @param {string} beginning
 * @returns {string[]}
 */
function versionedFolders(folder, beginning) {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.startsWith(beginning));
  return names
    .sort((left, right) => right.localeCompare(left, "en", { numeric: true }))
    .map((name) => path.join(folder, name));
}
