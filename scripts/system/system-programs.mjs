import { existsSync } from "node:fs";
import { findChromium } from "./find-chromium.mjs";
import { findOnPath } from "./find-on-path.mjs";
import { findPostgres } from "./find-postgres.mjs";

/**
 * What the tests use and npm cannot bring.
 * @typedef {object} SystemProgram
 * @property {string} name
 * @property {string[]} rings that use it
 * @property {boolean} required whether those rings cannot run without it
 * @property {() => string | undefined} find its place; undefined when it is missing
 * @property {string[]} aptPackages
 * @property {{ apt: string, brew: string, dnf: string, winget: string }} install the command for each platform
 */

/** @type {SystemProgram[]} */
export const systemPrograms = [
  {
    name: "Chromium",
    rings: ["journeys"],
    required: true,
    find: findChromium,
    aptPackages: ["chromium"],
    install: {
      apt: "sudo apt-get install chromium   (Ubuntu: google-chrome-stable from google.com/chrome, its chromium is a snap)",
      brew: "brew install --cask google-chrome",
      dnf: "sudo dnf install chromium",
      winget: "winget install Google.Chrome",
    },
  },
  {
    name: "PostgreSQL",
    rings: ["database"],
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
    name: "Redis",
    rings: ["database"],
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
    rings: ["journeys"],
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
