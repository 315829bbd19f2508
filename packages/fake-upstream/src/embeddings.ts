import { countInputTokens } from "./count-prompt-tokens.ts";
import { embeddingVector, vectorToBase64 } from "./embedding-vector.ts";
import { countField } from "./json-fields.ts";
import { openAiErrorBody, RequestRefused } from "./openai-error.ts";
import { readModel } from "./read-model.ts";
import type { Call, Reply } from "./reply.ts";
import { reportUsage } from "./report-usage.ts";

const mostDimensions = 3_072;

/** POST /v1/embeddings; one vector for each input, as float lists or base64. */
export function embeddings(call: Call): Reply {
  const model = readModel(call);
  const { body, behaviour, settings } = call;
  const inputs = inputKeys(body["input"]);
  if (inputs.length === 0)
    throw new RequestRefused(400, openAiErrorBody("'input' cannot be empty.", { param: "input" }));
  const dimensions = readDimensions(call, model);
  const data = inputs.map((input, index) => {
    const vector = embeddingVector(input, dimensions, settings.seed);
    const embedding = body["encoding_format"] === "base64" ? vectorToBase64(vector) : Array.from(vector);
    return { object: "embedding", index, embedding };
  });
  const promptTokens = countInputTokens(body["input"]);
  const usage = reportUsage({ prompt_tokens: promptTokens, total_tokens: promptTokens }, behaviour);
  return { kind: "json", body: { object: "list", data, model, ...(usage && { usage }) }, tokens: 0 };
}

function readDimensions({ body }: Call, model: string): number {
  const dimensions = countField(body, "dimensions", 1) ?? (model.includes("3-large") ? mostDimensions : 1_536);
  if (dimensions <= mostDimensions) return dimensions;
  const message = `Invalid value for 'dimensions': must be at most ${mostDimensions}.`;
  throw new RequestRefused(400, openAiErrorBody(message, { param: "dimensions" }));
}

/** The inputs as texts that tell them apart: token lists are written out. */
function inputKeys(input: unknown): string[] {
  if (typeof input === "string") return [input];
  if (!Array.isArray(input) || input.length === 0) return [];
  return input.every((item) => typeof item === "number") ? [input.join()] : input.map(String);
}
