import { cachedOf, reportUsage } from "../../../stub-kit/report-usage.ts";
import type { Behaviour } from "../../../stub-kit/behaviour.ts";
import { type Answer, endlessPieces, type FinishReason } from "../../../stub-kit/compose-answer.ts";
import { countField, type JsonObject, objectField } from "../../../stub-kit/json-fields.ts";
import { type Call, json, type JsonReply, type Reply, type StreamEvent, streamOrJson } from "../../../stub-kit/call.ts";
import { refuse } from "../../../stub-kit/refusal.ts";

interface Generation {
  choices: readonly Answer[];
  promptTokens: number;
}

export interface GenerationFormat {
  opening(choice: number): string | null;
  piece(choice: number, text: string): string;
  finish(choice: number, reason: FinishReason): string;
  usage(usage: JsonObject): string;
  document(choices: readonly Answer[], usage: JsonObject | undefined): JsonObject;
}

export function replyWith(generation: Generation, format: GenerationFormat, call: Call): Reply {
  const toJson = (): JsonReply => {
    const usage = usageOf(generation, call.behaviour);
    return json(format.document(generation.choices, usage), completionTokens(generation));
  };
  const stream = { events: streamEvents(generation, format, call), ending: { data: "[DONE]" } };
  return streamOrJson(call.body["stream"] === true, toJson, stream);
}

function* streamEvents(generation: Generation, format: GenerationFormat, call: Call): Generator<StreamEvent> {
  const { choices } = generation;
  const { behaviour } = call;
  for (const [index, choice] of choices.entries()) {
    const data = format.opening(index);
    if (data !== null) yield { data, part: "opening", tokens: choice.reasoningTokens };
  }
  yield* behaviour.kind === "endless"
    ? endless(format, behaviour.chunkBytes, call.settings.seed)
    : pieces(choices, format);
  for (const [index, choice] of choices.entries()) {
    if (choice.finishReason === null) continue;
    yield { data: format.finish(index, choice.finishReason), part: "finish", tokens: 0 };
  }
  const usage = reportsUsage(call) ? usageOf(generation, behaviour) : undefined;
  if (usage !== undefined) yield { data: format.usage(usage), part: "usage", tokens: 0 };
}

function* pieces(choices: readonly Answer[], format: GenerationFormat): Generator<StreamEvent> {
  const longest = Math.max(...choices.map((choice) => choice.pieces.length));
  for (let position = 0; position < longest; position += 1) {
    for (const [index, choice] of choices.entries()) {
      const text = choice.pieces[position];
      if (text !== undefined) yield { data: format.piece(index, text), part: "piece", tokens: 1 };
    }
  }
}

function* endless(format: GenerationFormat, chunkBytes: number | undefined, seed: number): Generator<StreamEvent> {
  for (const text of endlessPieces(chunkBytes, seed)) yield { data: format.piece(0, text), part: "piece", tokens: 1 };
}

/** True if the stream ends with usage: requested by the caller or set by the behaviour. */
export function reportsUsage({ body, behaviour }: Pick<Call, "body" | "behaviour">): boolean {
  return behaviour.usageUnasked === true || objectField(body, "stream_options")["include_usage"] === true;
}

function completionTokens({ choices }: Generation): number {
  return reasoningTokens(choices) + choices.reduce((sum, choice) => sum + choice.pieces.length, 0);
}

function reasoningTokens(choices: readonly Answer[]): number {
  return choices.reduce((sum, choice) => sum + choice.reasoningTokens, 0);
}

function usageOf(generation: Generation, behaviour: Behaviour): JsonObject | undefined {
  const prompt = generation.promptTokens;
  const completion = completionTokens(generation);
  const cached = cachedOf(prompt, behaviour);
  const counted = {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: cached, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: reasoningTokens(generation.choices),
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
  return reportUsage(counted, behaviour);
}

export interface CompletionHead {
  id: string;
  object: string;
  created: number;
  model: string;
  system_fingerprint: string;
}

/** `created` is in Unix seconds. */
export function completionHead(id: string, object: string, model: string, seed: number): CompletionHead {
  const created = Math.floor(Date.now() / 1_000);
  return { id, object, created, model, system_fingerprint: `fp_fake${seed}` };
}

/** Returns a writer for chunks with the same head. It receives the JSON of choices and usage. */
export function chunkWriter(head: CompletionHead, withUsage: boolean): (choices: string, usage?: string) => string {
  const start = `${JSON.stringify(head).slice(0, -1)},"choices":[`;
  return (choices, usage = "null") => `${start}${choices}]${withUsage ? `,"usage":${usage}` : ""}}`;
}

const mostChoices = 128;

/** Number of choices, `n`; default 1. Throws RequestRefused above 128. */
export function readChoiceCount(body: JsonObject): number {
  const count = countField(body, "n", 1) ?? 1;
  if (count <= mostChoices) return count;
  const message = `Invalid 'n': integer above maximum value. Expected a value <= ${mostChoices}, but got ${count} instead.`;
  return refuse(message, { param: "n", code: "integer_above_max_value" });
}
