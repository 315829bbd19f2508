import assert from "node:assert/strict";
import { test } from "node:test";
import { misspelledName } from "./misspelled-name.ts";

const NAMES = ["channel", "model_name", "size", "tags", "username"];

for (const [typed, meant] of [
  ["chanel", "channel"],
  ["usrename", "username"],
  ["ModelName", "model_name"],
  ["szie", "size"],
  ["tag", undefined],
  ["user", undefined],
  ["username", undefined],
] as const)
  test(`"${typed}" is ${meant === undefined ? "no misspelled name" : `${meant}, misspelled`}`, () => {
    assert.equal(misspelledName(typed, NAMES), meant);
  });
