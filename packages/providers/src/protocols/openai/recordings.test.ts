import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { parseJson, recordOf } from "../../shared/json-fields.ts";
import { NO_USAGE, type Usage } from "../../usage.ts";
import { completionText, deltaText, hasFinished } from "./delta-text.ts";
import { carriesError } from "../read-error.ts";
import { readUsage } from "./read-usage.ts";

const directory = process.env.RECORDINGS_DIR ?? join(import.meta.dirname, "../../../../../../shared/recordings");
const skip = existsSync(directory) ? false : `no recordings in ${directory}: set RECORDINGS_DIR`;

type Expected = Partial<Usage>;
const used = (promptTokens: number, completionTokens: number, rest: Expected = {}): Expected => ({
  promptTokens,
  completionTokens,
  ...rest,
});

const answers: Readonly<Record<string, Expected>> = {
  "openai/text.json": used(16, 363),
  "openai/completion.json": used(14, 16),
  "deepseek/text.json": used(13, 300),
  "groq/text.json": used(45, 607),
  "mistral/text.json": used(13, 434),
  "moonshot/text.json": used(9, 5),
  "xai/text.json": used(12, 229, { cachedTokens: 2, reasoningTokens: 228, providerDollars: 0.00011765 }),
  "alibaba/text.json": used(18, 1_064),
};

const streams: Readonly<Record<string, Expected>> = {
  "openai/text.chunks.txt": used(16, 300),
  "openai/completion.chunks.txt": used(14, 16),
  "deepseek/text.chunks.txt": used(13, 400),
  "groq/text.chunks.txt": used(45, 662),
  "mistral/text.chunks.txt": used(13, 8),
  "moonshot/text.chunks.txt": used(9, 12, { reasoningTokens: 7 }),
  "xai/text.chunks.txt": used(12, 291, { cachedTokens: 11, reasoningTokens: 290, providerDollars: 0.000146625 }),
  "alibaba/text.chunks.txt": used(18, 779),
};

for (const [file, usage] of Object.entries(answers)) {
  test(`usage and text of the recorded answer ${file} are read`, { skip }, () => {
    const answer = parseJson(readFileSync(join(directory, file), "utf8"));
    assert.deepEqual(readUsage(answer), { ...NO_USAGE, ...usage });
    assert.notEqual(completionText(answer), "");
    assert.equal(carriesError(answer), false);
  });
}

for (const [file, usage] of Object.entries(streams)) {
  test(`usage, text and end of the recorded stream ${file} are read`, { skip }, () => {
    const lines = readFileSync(join(directory, file), "utf8")
      .split("\n")
      .filter((line) => line.startsWith("{"));
    const chunks = lines.map(parseJson);
    const reports = chunks.map((chunk) => readUsage(chunk)).filter((report) => report !== undefined);
    assert.deepEqual(reports.at(-1), { ...NO_USAGE, ...usage });
    assert.ok(chunks.map(deltaText).join("").length > 0);
    assert.equal(chunks.filter(hasFinished).length, 1);
    assert.equal(chunks.some(carriesError), false);
    assert.ok(chunks.every((chunk) => Object.keys(recordOf(chunk)).length > 0));
  });
}
