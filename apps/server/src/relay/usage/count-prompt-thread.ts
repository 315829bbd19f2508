import { parentPort } from "node:worker_threads";
import { readPromptParts } from "@one-api/providers/protocols/prompt-parts";
import { countPromptTokens } from "@one-api/providers/shared/count-tokens";
import { readBody } from "../body/index.ts";
import type { CountedPrompt, PromptToCount } from "./count-prompts.ts";
import { freePiece } from "../../platform/memory/buffers.ts";

/** One prompt may take this long; of what is left then, as many tokens are assumed as in the rest. In ms. */
const LONGEST_COUNT_MS = 300;

/** The thread that counts prompts: reads the body, counts, answers. One at a time, in order. */
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
  // The time begins with the first look at the clock: to load the tokenizer takes a while of its own.
  let endMs: number | undefined;
  return await countPromptTokens(parts, model, mode, () => {
    endMs ??= performance.now() + LONGEST_COUNT_MS;
    return performance.now() > endMs;
  });
}
