import assert from "node:assert/strict";
import { it } from "node:test";
import type { JsonRecord } from "@one-api/providers/shared/json-fields";
import { readBody } from "../body/index.ts";
import { openai } from "../dialects/index.ts";

function countOf(more: JsonRecord): number | undefined {
  const body = readBody(Buffer.from(JSON.stringify({ model: "m", prompt: "a cat", ...more })));
  const parsed = openai.callAt("/v1/images/generations", "")?.parseRequest(body, {});
  return parsed?.media?.kind === "image" ? parsed.media.count : undefined;
}

it("reserves the largest number of images under any field name", () => {
  assert.equal(countOf({}), 1);
  for (const name of [
    "n",
    "num_images",
    "number_of_images",
    "numberOfImages",
    "num_outputs",
    "sampleCount",
    "batch_size",
  ])
    assert.equal(countOf({ [name]: 4 }), 4, name);
  assert.equal(countOf({ n: 2, samples: 8, candidateCount: 3 }), 8);
  for (const wrong of [0, 1.5, "4", 1_000_000])
    assert.throws(() => countOf({ num_images: wrong }), /num_images must be/);
});
