import assert from "node:assert/strict";
import { test } from "node:test";
import { parseArguments } from "./parse-arguments.mjs";

const known = ["units", "console", "journeys"];

test("without arguments every ring runs", () => {
  assert.deepEqual(parseArguments([], known), { rings: known, filters: [] });
});

test("rings and filters may come in any order and spelling", () => {
  const wanted = { rings: ["units", "journeys"], filters: ["token", "user"] };
  assert.deepEqual(parseArguments(["token", "--ring", "journeys,units", "user"], known), wanted);
  assert.deepEqual(parseArguments(["--ring=units", "token", "--ring", "journeys", "user"], known), wanted);
});

test("an unknown ring or option is refused with the names that are known", () => {
  assert.throws(
    () => parseArguments(["--ring", "unit"], known),
    /--ring unit is not known[^]*units\|console\|journeys/,
  );
  assert.throws(() => parseArguments(["--watch"], known), /--watch is not known/);
  assert.throws(() => parseArguments(["--ring"], known), /--ring without a name/);
});
