import { parentPort } from "node:worker_threads";
import { readPromptParts } from "@one-api/providers/protocols/prompt-parts";
import { countPromptTokens } from "@one-api/providers/shared/count-tokens";
import { readBody } from "../body/index.ts";
import type { CountedPrompt, PromptToCount } from "./count-prompts.ts";
import { freePiece } from "../../platform/memory/buffers.ts";

/** Time limit per prompt, in ms. The rest of the text is estimated from the counted part. */
const MAX_COUNT_MS = 300;

parentPort?.on("message", (prompt: PromptToCount) => {
  count(prompt).then(
    (counted) => parentPort?.postMessage(counted),
    () => parentPort?.postMessage({ tokens: undefined, isWhole: false }),
  );
});

async function count({ bytes, format, model, mode }: PromptToCount): Promise<CountedPrompt> {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const parts = readPromptParts(format, readBody(body).json);
  freePiece(body);
  // The time starts at the first check, after the tokenizer is loaded.
  let endMs: number | undefined;
  return await countPromptTokens(parts, model, mode, () => {
    endMs ??= performance.now() + MAX_COUNT_MS;
    return performance.now() > endMs;
  });
}
