import type { Call } from "../../../stub-kit/call.ts";
import { readModel } from "../../../stub-kit/read-model.ts";
import { openAiErrorBody, RequestRefused } from "../../../stub-kit/refusal.ts";

export const CREATED_AT_SECONDS = 1_762_000_000;

/** Throws RequestRefused for a field that the vendor does not document. */
export function readPrompt(call: Call, fields: readonly string[]): string {
  readModel(call);
  return readPromptAlone(call, fields);
}

/** For endpoints with the model in the path. */
export function readPromptAlone({ body }: Call, fields: readonly string[]): string {
  const foreign = Object.keys(body).find((name) => name !== "model" && name !== "prompt" && !fields.includes(name));
  if (foreign !== undefined) refuse(`${foreign}: unknown parameter`);
  const { prompt } = body;
  return typeof prompt === "string" && prompt !== "" ? prompt : refuse("prompt is required");
}

function refuse(message: string): never {
  throw new RequestRefused(400, openAiErrorBody(message));
}
