import { usageField } from "../../../stub-kit/report-usage.ts";
import { readModel } from "../../../stub-kit/read-model.ts";
import { embeddingVector } from "../../../stub-kit/embedding-vector.ts";
import { countInputTokens } from "../../../stub-kit/prompt.ts";
import { countField } from "../../../stub-kit/json-fields.ts";
import { refuse } from "../../../stub-kit/refusal.ts";
import { type Call, json, type Reply } from "../../../stub-kit/call.ts";

const mostDimensions = 3_072;

export function embeddings(call: Call): Reply {
  const model = readModel(call);
  const { id, body, behaviour, settings } = call;
  const inputs = inputKeys(body["input"]);
  if (inputs.length === 0) refuse("'input' cannot be empty.", { param: "input" });
  const dimensions = readDimensions(call, model);
  const data = inputs.map((input, index) => {
    const vector = embeddingVector(input, dimensions, settings.seed);
    const embedding = body["encoding_format"] === "base64" ? vectorToBase64(vector) : Array.from(vector);
    return { object: "embedding", index, embedding };
  });
  const promptTokens = countInputTokens(body["input"]);
  const usage = usageField({ prompt_tokens: promptTokens, total_tokens: promptTokens }, behaviour);
  // Mistral's have an id. Source: https://docs.mistral.ai/api/#tag/embeddings
  const named = model.startsWith("mistral-") ? { id } : {};
  return json({ ...named, object: "list", data, model, ...usage });
}

function readDimensions({ body }: Call, model: string): number {
  const dimensions = countField(body, "dimensions", 1) ?? (model.includes("3-large") ? mostDimensions : 1_536);
  if (dimensions <= mostDimensions) return dimensions;
  return refuse(`Invalid value for 'dimensions': must be at most ${mostDimensions}.`, { param: "dimensions" });
}

function inputKeys(input: unknown): string[] {
  if (typeof input === "string") return [input];
  if (!Array.isArray(input) || input.length === 0) return [];
  return input.every((item) => typeof item === "number") ? [input.join()] : input.map(String);
}

function vectorToBase64(vector: Float32Array): string {
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * 4);
  return bytes.toString("base64");
}
