import assert from "node:assert/strict";
import { test } from "node:test";
import { isSeal, openSeal, sealBeside, SEAL_MARK, sealThoughts, textInSeal, type Thought } from "./sealed-thoughts.ts";

const thoughts: readonly Thought[] = [
  { type: "reasoning", text: "I ponder: 思考 T9:", signature: "c2ln" },
  { type: "hidden-reasoning", data: "aGlk" },
  { type: "reasoning", text: "More.", signature: "" },
  { type: "reasoning", text: "", signature: "gemini:c2ln" },
];

test("a seal is base64 and restores all its thoughts, whatever text accompanies it", () => {
  const seal = sealThoughts(thoughts);
  assert.match(seal, /^[A-Za-z0-9+/]+=*$/);
  assert.ok(isSeal(seal) && seal.startsWith(SEAL_MARK));
  assert.deepEqual(openSeal(seal, ""), thoughts);
  assert.deepEqual(openSeal(seal, "Something else."), thoughts);
  assert.equal(textInSeal(seal), "I ponder: 思考 T9:More.");
});

test("a seal with a digest belongs to its own text only", () => {
  const thought = { type: "reasoning", text: "I ponder", signature: "c2ln" } as const;
  const seal = sealBeside(thought);
  assert.deepEqual(openSeal(seal, "I ponder"), [thought]);
  assert.deepEqual(openSeal(seal, "I pond"), [{ type: "reasoning", text: "I pond", signature: "" }]);
  assert.deepEqual(openSeal(seal, ""), []);
});

test("a foreign signature is no seal, and a damaged seal proves nothing", () => {
  for (const signature of ["", "c2ln", "gemini:c2ln"]) assert.equal(openSeal(signature, "Hm."), undefined);
  assert.equal(textInSeal(undefined), "");
  const bytes = (text: string) => Buffer.from(`one-api1:${text}`).toString("base64");
  for (const text of ["", "X1:a", "T", "T9:short", "T99999999999:a", "S3:sig", "[]"]) {
    const shown = [{ type: "reasoning", text: "Hm.", signature: "" }];
    assert.deepEqual(openSeal(bytes(text), "Hm."), shown, text);
    assert.deepEqual(openSeal(bytes(text), ""), [], text);
  }
});

test("reading a seal stops at the maximum number of fields", () => {
  const seal = Buffer.from(`one-api1:${"T1:a".repeat(100_000)}`).toString("base64");
  assert.equal(openSeal(seal, "")?.length, 2_000);
});
