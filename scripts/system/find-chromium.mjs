import { spawnSync } from "node:child_process";
import { homedir } from "node:os";
import path from "node:path";
import { PlainError } from "../lib/plain-error.mjs";
import { findOnPath, isExecutable, versionedFolders } from "./find-on-path.mjs";

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
  const onPath = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"].map(
    (name) => findOnPath(name) ?? "",
  );
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
