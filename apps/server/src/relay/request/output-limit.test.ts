import assert from "node:assert/strict";
import { it } from "node:test";
import { readBody } from "../body/index.ts";
import { usageUpperBound } from "../usage/index.ts";
import { openai } from "../dialects/index.ts";
import { mostVisibleTokens, OutputWatch } from "./output-limit.ts";

const MOST = 1_000;
/** A piece of 200 bytes for each token. */
const PIECE = Buffer.alloc(200);

/** Passes pieces until one goes beyond; returns how many had passed, what counts as delivered, and how often it was counted. */
function watch(piece: Buffer, tokensOfPiece: number, pieces: number) {
  const watched = new OutputWatch(MOST);
  let [passed, counts] = [0, 0];
  for (; passed < pieces; passed += 1) {
    const tokens = (passed + 1) * tokensOfPiece;
    const beyond = watched.beyond(piece, () => {
      counts += 1;
      return tokens;
    });
    if (beyond !== undefined) return { passed, delivered: beyond, counts };
  }
  return { passed, delivered: undefined, counts };
}

it("an answer within its limit passes whole, and is counted some times at the most", () => {
  const { delivered, counts } = watch(PIECE, 1, MOST);
  assert.equal(delivered, undefined);
  assert.ok(counts <= 50, `${counts} counts`);
  assert.equal(watch(Buffer.alloc(10), 1, 40).counts, 0, "a short one is never counted");
});

it("one beyond it ends soon, and all that had passed is delivered", () => {
  const { passed, delivered } = watch(PIECE, 1, 10 * MOST);
  assert.ok(passed >= MOST && passed <= MOST + 25, `${passed} pieces`);
  assert.equal(delivered, passed);
  const dense = watch(Buffer.alloc(40), 8, 10 * MOST);
  assert.ok(dense.passed * 8 <= 3 * MOST, `${dense.passed * 8} tokens`);
});

it("a piece that is beyond it at once does not pass", () => {
  assert.deepEqual(watch(Buffer.alloc(64 * 1024), 20 * MOST, 5), { passed: 0, delivered: 0, counts: 1 });
});

it("the most counts every answer that was asked for, and nothing for pictures", () => {
  const parsedOf = (path: string, fields: object) => {
    const callPath = openai.callAt(path, "");
    assert.ok(callPath !== undefined);
    const parsed = callPath.parseRequest(readBody(Buffer.from(JSON.stringify({ model: "gpt-4o", ...fields }))), {});
    return { parsed, most: usageUpperBound(parsed, ["gpt-4o"]) };
  };
  const messages = [{ role: "user", content: "x" }];
  const one = mostVisibleTokens(parsedOf("/v1/chat/completions", { messages, max_tokens: 1_000 }));
  const three = mostVisibleTokens(parsedOf("/v1/chat/completions", { messages, max_tokens: 1_000, n: 3 }));
  assert.ok(one >= 1_400 && one <= 2_000, String(one));
  assert.ok(three >= 4_200 && three <= 5_000, String(three));
  assert.equal(mostVisibleTokens(parsedOf("/v1/images/generations", { prompt: "x" })), Number.POSITIVE_INFINITY);
});
