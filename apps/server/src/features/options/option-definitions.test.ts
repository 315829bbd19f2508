import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import {
  isOptionKey,
  OPTION_DEFINITIONS,
  OPTION_KEYS,
  type OptionKey,
} from "@one-api/contract/options/option-definitions";
import type { OptionDefinition, OptionReader } from "@one-api/contract/options/define-option";
import { needsOf } from "./check-option-needs.ts";

const SERVER = join(import.meta.dirname, "../..");

/** Where each reader's code is: a folder, or folders and files of jobs. */
const PATHS_OF_READER: Readonly<Record<OptionReader, string | readonly string[]>> = {
  http: "http",
  login: "features/sessions",
  status: "features/status",
  users: "features/users",
  tokens: "features/tokens",
  channels: ["features/channels", "jobs/channels.job.ts"],
  relay: ["relay", "features/model-aliases"],
  limits: "features/limits",
  budgets: "features/budgets",
  options: "features/options",
  invitations: "features/invitations",
  mail: "features/mail",
  alerts: "features/alerts",
  notifications: "features/notifications",
  proxy: "features/proxy",
  verification: "features/verification",
  registration: "features/registration",
  oauth: "features/oauth",
  factors: "features/factors",
  audit: "features/audit",
  logs: ["features/logs", "jobs/log-retention.job.ts"],
  pricing: ["features/pricing", "features/what-if"],
  dashboard: "features/dashboard",
  "status-page": "features/status-page",
};

const definitionOf = (key: OptionKey): OptionDefinition => OPTION_DEFINITIONS[key];

/** Options that each file of the server reads. */
function readsByFile(): Map<string, Set<string>> {
  const reads = new Map<string, Set<string>>();
  for (const file of globSync("**/*.ts", { cwd: SERVER, exclude: ["**/*.test.ts", "testing/**"] })) {
    const source = readFileSync(join(SERVER, file), "utf8");
    const keys = [...source.matchAll(/\.(?:flag|number|text|secret|ratios|prices)\(\s*"(\w+)"/g)].flatMap(
      ([, key = ""]) => key,
    );
    reads.set(file.replaceAll("\\", "/"), new Set(keys.filter(isOptionKey)));
  }
  return reads;
}

describe("the declarations of options", () => {
  const reads = readsByFile();
  const isWithin = (file: string, path: string) => file === path || file.startsWith(`${path}/`);
  const isReadIn = (key: string, paths: readonly string[]) =>
    [...reads].some(([file, keys]) => keys.has(key) && paths.some((path) => isWithin(file, path)));

  for (const key of OPTION_KEYS) {
    test(`${key} is read where its declaration says, and nowhere else`, () => {
      const { readBy } = definitionOf(key);
      const really = Object.entries(PATHS_OF_READER).flatMap(([reader, paths]) =>
        isReadIn(key, [paths].flat()) ? [reader] : [],
      );
      assert.deepEqual(really.sort(), [...readBy].sort());
      assert.ok(really.length > 0, "something reads it");
    });
  }

  test("every file that reads options belongs to a reader", () => {
    const paths = Object.values(PATHS_OF_READER).flat();
    for (const [file, keys] of reads) {
      const known = paths.some((path) => isWithin(file, path));
      assert.ok(known || keys.size === 0, `${file} reads ${[...keys].join(", ")}`);
    }
  });

  test("only switches require others, which can be empty", () => {
    for (const key of OPTION_KEYS) {
      const { needs = [], orNeeds = [], kind } = definitionOf(key);
      if (needs.length > 0) assert.equal(kind, "flag", key);
      assert.deepEqual(needsOf(key), [...new Set([...needs, ...orNeeds])], "each is an option");
      for (const need of needsOf(key))
        assert.ok(["text", "address", "link", "secret"].includes(definitionOf(need).kind), need);
    }
  });

  test("every secret and address is set by root only; links and prices can be restricted to root", () => {
    for (const key of OPTION_KEYS) {
      const { kind, rootOnly } = definitionOf(key);
      if (["secret", "address"].includes(kind)) assert.equal(rootOnly, "always", key);
      if (["link", "ratios"].includes(kind)) assert.notEqual(rootOnly, undefined, key);
    }
  });

  test("a switch of root's options that directs calls is set by root only", () => {
    for (const key of OPTION_KEYS.filter((name) => /^(SMTP|ChatLink|HttpProxy|GlobalProxy)/.test(name)))
      assert.equal(definitionOf(key).rootOnly, "always", key);
  });
});
