import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { FailureKind } from "../../failure.ts";
import { listOf, recordOf } from "../../shared/json-fields.ts";
import { NO_USAGE, type Usage } from "../../usage.ts";
import { completionText, deltaText, hasFinished } from "./delta-text.ts";
import { carriesError, readError } from "../read-error.ts";
import { readUsage } from "./read-usage.ts";

// Written by hand after each vendor's documentation, one file each: an answer, stream chunks, and errors.

const VENDORS = join(import.meta.dirname, "../../vendors");
/** Before the resets in the fixtures. */
const now = new Date(1_795_255_200_000);

interface Expected {
  readonly usage: Partial<Usage>;
  /** If the stream's usage differs. */
  readonly streamUsage?: Partial<Usage>;
  /** Text that is counted, of the answer and of the stream. */
  readonly text: string;
  readonly streamText?: string;
  readonly errors: readonly (readonly [kind: FailureKind, retryAfterMs?: number])[];
}

const used = (promptTokens: number, completionTokens: number, rest: Partial<Usage> = {}): Partial<Usage> => ({
  promptTokens,
  completionTokens,
  ...rest,
});

const GREETING = "Good morning.";
const THOUGHT = "A greeting.";

const vendors: Readonly<Record<string, Expected>> = {
  openai: {
    usage: used(12, 3, { cachedTokens: 4 }),
    text: GREETING,
    errors: [
      ["bad-credential"],
      ["unknown-model"],
      ["out-of-credit"],
      ["rate-limited", 20_000],
      ["bad-request"],
      ["overloaded"],
    ],
  },
  "openai-audio": {
    usage: used(60, 400, { audioPromptTokens: 50, audioCompletionTokens: 320 }),
    text: GREETING,
    errors: [],
  },
  "openai-tools": { usage: used(40, 9), text: 'get_weather{"city":"Bonn"}', errors: [] },
  azure: {
    usage: used(12, 3),
    text: GREETING,
    errors: [["bad-credential"], ["unknown-model"], ["rate-limited", 25_500], ["bad-request"]],
  },
  mistral: {
    usage: used(12, 8),
    streamUsage: used(12, 3),
    text: THOUGHT + GREETING,
    streamText: GREETING,
    errors: [["bad-credential"], ["rate-limited"], ["bad-request"], ["bad-request"]],
  },
  groq: {
    usage: used(36, 3),
    text: GREETING,
    errors: [["bad-credential"], ["rate-limited", 7_000], ["unknown-model"], ["bad-request"]],
  },
  deepseek: {
    usage: used(80, 20, { cachedTokens: 64, reasoningTokens: 17 }),
    text: GREETING + THOUGHT,
    streamText: THOUGHT + GREETING,
    errors: [["bad-credential"], ["out-of-credit"], ["bad-request"]],
  },
  moonshot: {
    usage: used(9, 12, { cachedTokens: 5 }),
    text: GREETING,
    streamText: THOUGHT + GREETING,
    errors: [["bad-credential"], ["out-of-credit"], ["overloaded"], ["rate-limited", 1_000], ["unknown-model"]],
  },
  xai: {
    usage: used(12, 33, { cachedTokens: 8, reasoningTokens: 30 }),
    text: GREETING + THOUGHT,
    streamText: THOUGHT + GREETING,
    errors: [["bad-credential"], ["bad-credential"], ["unknown-model"], ["rate-limited"]],
  },
  openrouter: {
    usage: used(12, 3, { providerDollars: 0.0000036 }),
    text: GREETING,
    streamText: THOUGHT + GREETING,
    errors: [["bad-credential"], ["out-of-credit"], ["rate-limited", 30_000], ["bad-request"], ["server-error"]],
  },
  zhipu: {
    usage: used(12, 8, { cachedTokens: 6 }),
    text: GREETING + THOUGHT,
    streamText: THOUGHT + GREETING,
    errors: [["bad-credential"], ["out-of-credit"], ["rate-limited"], ["unknown-model"]],
  },
  minimax: {
    usage: used(12, 8, { reasoningTokens: 5 }),
    streamUsage: used(12, 8),
    text: GREETING + THOUGHT,
    streamText: THOUGHT + GREETING,
    errors: [["bad-credential"], ["out-of-credit"], ["rate-limited"], ["bad-request"]],
  },
  siliconflow: {
    usage: used(12, 3),
    text: GREETING,
    errors: [["bad-credential"], ["out-of-credit"], ["unknown-model"], ["rate-limited"], ["overloaded"]],
  },
  doubao: {
    usage: used(12, 20, { reasoningTokens: 16 }),
    text: GREETING + THOUGHT,
    streamText: THOUGHT + GREETING,
    errors: [["bad-credential"], ["out-of-credit"], ["unknown-model"], ["overloaded"]],
  },
  together: {
    usage: used(12, 3),
    text: GREETING,
    errors: [["bad-credential"], ["unknown-model"], ["rate-limited", 2_000]],
  },
};

/** `openai-tools` is OpenAI's `tools.json`; a name without a suffix is `chat.json`. */
function pathOf(name: string): string {
  const [vendor, kind = "chat"] = name.split("-");
  return `${vendor}/fixtures/${kind}.json`;
}

function fixtureOf(vendor: string) {
  return recordOf(JSON.parse(readFileSync(join(VENDORS, pathOf(vendor)), "utf8")));
}

test("every fixture is tested", () => {
  assert.deepEqual(
    globSync("*/fixtures/*.json", { cwd: VENDORS }).toSorted(),
    Object.keys(vendors).map(pathOf).toSorted(),
  );
});

for (const [vendor, expected] of Object.entries(vendors)) {
  const { answer, chunks, errors } = fixtureOf(vendor);

  test(`${vendor}: usage and text of an answer are read`, () => {
    assert.deepEqual(readUsage(answer), { ...NO_USAGE, ...expected.usage });
    assert.equal(completionText(answer), expected.text);
    assert.equal(carriesError(answer), false);
  });

  test(`${vendor}: usage, text and end of a stream are read`, () => {
    const reports = listOf(chunks)
      .map((chunk) => readUsage(chunk))
      .filter((report) => report !== undefined);
    assert.deepEqual(reports.at(-1), { ...NO_USAGE, ...(expected.streamUsage ?? expected.usage) });
    assert.equal(listOf(chunks).map(deltaText).join(""), expected.streamText ?? expected.text);
    assert.equal(listOf(chunks).filter(hasFinished).length, 1);
    assert.equal(listOf(chunks).some(carriesError), false);
  });

  test(`${vendor}: errors have the vendor's meaning and no secrets`, () => {
    const read = listOf(errors).map((error) => {
      const { status, headers, body } = recordOf(error);
      const text = typeof body === "string" ? body : JSON.stringify(body);
      const sent = new Map(Object.entries(recordOf(headers)).map(([name, value]) => [name, String(value)]));
      if (status === 200) assert.equal(carriesError(body), true);
      return readError(Number(status), Object.fromEntries<string>(sent), text, now);
    });
    assert.deepEqual(
      read.map(({ kind, retryAfterMs }) => [kind, ...(retryAfterMs === null ? [] : [retryAfterMs])]),
      expected.errors,
    );
    for (const { message } of read) {
      assert.notEqual(message, "");
      assert.doesNotMatch(message, /https?:|org-abcdefgh|sk-abcd/);
    }
  });
}
