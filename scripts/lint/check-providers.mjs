// docs/providers.md has one row for each channel type that can be called by a model. Tests write its cells.
import { readFileSync } from "node:fs";
import { CHANNEL_TYPES } from "../../packages/contract/src/channels/channel-types.ts";
import { fromRoot } from "../lib/repository.mjs";

const page = readFileSync(fromRoot("docs", "providers.md"), "utf8");
const rows = new Set(
  [...page.matchAll(/^\| (\d+) \| ([^|]+) \|/gm)].map(([, type, label]) => `${label} (type ${type})`),
);
const callable = new Set(
  CHANNEL_TYPES.filter(({ needsNoModels }) => needsNoModels !== true).map(
    ({ type, label }) => `${label} (type ${type})`,
  ),
);
const findings = [
  ...[...callable].filter((name) => !rows.has(name)).map((name) => `docs/providers.md misses ${name}`),
  ...[...rows]
    .filter((name) => !callable.has(name))
    .map((name) => `docs/providers.md has ${name}, which cannot be called`),
];
for (const finding of findings)
  console.log(`${finding}: try it in provider-matrix.test.ts, then npm run providers-page`);
console.log(`${callable.size} kinds of channel, ${findings.length} violations`);
process.exitCode = findings.length > 0 ? 1 : 0;
