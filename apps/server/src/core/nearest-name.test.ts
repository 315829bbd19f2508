import assert from "node:assert/strict";
import { test } from "node:test";
import { nearestName } from "./nearest-name.ts";

const NAMES = ["channel", "model_name", "p", "size", "start_timestamp", "username"];

for (const [typed, nearest] of [
  ["chanel", "channel"],
  ["Channel", "channel"],
  ["channle", "channel"],
  ["model", "model_name"],
  ["page_size", "size"],
  ["modelname", "model_name"],
  ["user_name", "username"],
  ["start_time", "start_timestamp"],
  ["page", undefined],
  ["x", undefined],
  ["", undefined],
] as const)
  test(`"${typed}" is nearest to ${nearest ?? "no name"}`, () => {
    assert.equal(nearestName(typed, NAMES), nearest);
    assert.equal(nearestName(typed, []), undefined);
  });
