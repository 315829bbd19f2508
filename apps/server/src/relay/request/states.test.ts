import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { it } from "node:test";
import { STATES } from "./states.ts";

const FOLDER = new URL("tests/", import.meta.url);

it("has one test for each event of each state", () => {
  const titles = readdirSync(FOLDER).flatMap((file) =>
    [...readFileSync(new URL(file, FOLDER), "utf8").matchAll(/^it\("([a-z]+: [^"]+)"/gm)].map(([, title]) => title),
  );
  const cells = Object.entries(STATES).flatMap(([state, events]) =>
    Object.keys(events).map((event) => `${state}: ${event}`),
  );
  assert.deepEqual(new Set(titles), new Set(cells));
  assert.equal(titles.length, cells.length);
});
