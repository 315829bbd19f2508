import { countInputTokens } from "../prompt.ts";
import { countField } from "../../json-fields.ts";
import { openAiErrorBody, RequestRefused } from "../../refusal.ts";
import { readModel, reportUsage } from "../generation.ts";
import type { Call, Reply } from "../../reply.ts";

const mostDimensions = 3_072;

/** POST /v1/embeddings; one vector for each input, as float lists or base64. */
export function embeddings(call: Call): Reply {
  const model = readModel(call);
  const { id, body, behaviour, settings } = call;
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
  // Mistral's have an id. Source: https://docs.mistral.ai/api/#tag/embeddings
  const named = model.startsWith("mistral-") ? { id } : {};
  return { kind: "json", body: { ...named, object: "list", data, model, ...(usage && { usage }) }, tokens: 0 };
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

/**
 * A vector of length 1 that depends on the text and the seed alone. The text becomes a start value by FNV-1a (32 bits);
 * the numbers follow from it by the generator mulberry32.
 */
export function embeddingVector(text: string, dimensions: number, seed: number): Float32Array {
  const next = numbersFrom(hash(text) ^ seed);
  const vector = Float32Array.from({ length: dimensions }, () => next() * 2 - 1);
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return length === 0 ? vector : vector.map((value) => value / length);
}

/** The vector as base64 of little-endian 32-bit floats, as `encoding_format: base64` wants it. */
function vectorToBase64(vector: Float32Array): string {
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * 4);
  return bytes.toString("base64");
}

function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value;
}

function numbersFrom(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
