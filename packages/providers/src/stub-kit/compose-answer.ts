import { withoutMarkers } from "./markers.ts";
import type { AnswerShape, Behaviour } from "./behaviour.ts";
import type { Call } from "./call.ts";
import { isJsonObject, type JsonObject, listField } from "./json-fields.ts";

export type FinishReason = "stop" | "length" | "tool_calls";

export interface Answer {
  pieces: readonly string[];
  /** Null when the behaviour hides it. */
  finishReason: FinishReason | null;
  reasoningTokens: number;
}

const filler =
  "and here are some more words so that this answer becomes as long as it was asked to be , one word at a time ,".split(
    " ",
  );
const longestEcho = 1_000;

/** Returns a filler word with a leading space; the seed shifts the sequence. */
export function fillerWord(position: number, seed: number): string {
  return ` ${filler[(position + seed) % filler.length]}`;
}

export function* piecesOf({ behaviour, settings }: Call, pieces: readonly string[]): Generator<string> {
  yield* pieces;
  if (behaviour.kind === "endless") yield* endlessPieces(behaviour.chunkBytes, settings.seed);
}

/** `chunkBytes` is the length of a piece; absent: one filler word. */
export function* endlessPieces(chunkBytes: number | undefined, seed: number): Generator<string> {
  for (let position = 0; ; position += 1)
    yield chunkBytes === undefined ? fillerWord(position, seed) : " ".padEnd(chunkBytes, "x");
}

export function hidesFinish(behaviour: Behaviour): boolean {
  return behaviour.kind === "malformed" && behaviour.fault === "no-finish-reason";
}

/** Splits a text before its spaces; joined, the pieces are the text. */
function splitPieces(text: string): string[] {
  return text === "" ? [] : text.split(/(?=\s\S)/u);
}

/** Composes an echo of the caller's text, or the behaviour's text and length, limited to `maxTokens`. */
export function composeAnswer(said: string, maxTokens: number | undefined, behaviour: Behaviour, seed: number): Answer {
  const pieces = splitPieces(behaviour.text ?? echo(said, behaviour));
  if (behaviour.pieces !== undefined) {
    pieces.length = Math.min(pieces.length, behaviour.pieces);
    const missing = behaviour.pieces - pieces.length;
    for (let position = 0; position < missing; position += 1) pieces.push(fillerWord(position, seed));
  }
  return limitAnswer(pieces, "stop", maxTokens, behaviour);
}

/** Limits pieces to `maxTokens`, reasoning tokens included; the finish reason is then `length`. */
function limitAnswer(
  pieces: readonly string[],
  finishReason: FinishReason,
  maxTokens: number | undefined,
  behaviour: Behaviour,
): Answer {
  const limit = maxTokens ?? Number.POSITIVE_INFINITY;
  const reasoningTokens = Math.min(behaviour.reasoningTokens ?? 0, limit);
  const isTooLong = pieces.length > limit - reasoningTokens;
  return {
    pieces: isTooLong ? pieces.slice(0, limit - reasoningTokens) : pieces,
    finishReason: hidesFinish(behaviour) ? null : isTooLong ? "length" : finishReason,
    reasoningTokens,
  };
}

function echo(said: string, behaviour: Behaviour): string {
  const words = withoutMarkers(said).slice(0, longestEcho).toWellFormed();
  const isSplit = behaviour.kind === "malformed" && behaviour.fault === "split-utf8";
  return isSplit ? `Grüße, 你好 🙂 You said: ${words}` : `You said: ${words}`;
}

export interface ToolCall {
  id: string;
  name: string;
  arguments: string;
}

const charactersPerPiece = 6;

/** Values that force a call: OpenAI's and Mistral's. */
const FORCING: ReadonlySet<unknown> = new Set(["required", "any"]);

/** Composes the answer to `said`: the arguments of the call that `asked` demands (in OpenAI's form), else an echo. */
export function composeReply(
  { id, behaviour, settings }: Call,
  said: string,
  asked: JsonObject,
  maxTokens: number | undefined,
): Answer & { readonly toolCall: ToolCall | undefined } {
  const toolCall = demandedToolCall(asked, withoutMarkers(said), id, behaviour);
  const answer =
    toolCall === undefined
      ? composeAnswer(said, maxTokens, behaviour, settings.seed)
      : limitAnswer(splitArguments(toolCall.arguments), "tool_calls", maxTokens, behaviour);
  return { ...answer, toolCall };
}

/**
 * Returns the call that `tools`, `tool_choice` or `callTool` demand. Its texts hold `toolText`, else the caller's text. Undefined for a text
 * answer.
 */
function demandedToolCall(
  body: JsonObject,
  said: string,
  id: string,
  { callTool = false, toolText = said }: Pick<AnswerShape, "callTool" | "toolText">,
): ToolCall | undefined {
  const choice = body["tool_choice"];
  const functions = listField(body, "tools").flatMap(functionOf);
  const demanded = isJsonObject(choice)
    ? functions.find((item) => functionOf(choice).some((named) => named["name"] === item["name"]))
    : FORCING.has(choice) || (callTool && choice !== "none")
      ? functions[0]
      : undefined;
  const name = demanded?.["name"];
  if (typeof name !== "string") return undefined;
  return { id: `call_${id}`, name, arguments: JSON.stringify(sampleValue(demanded?.["parameters"], toolText)) };
}

export function splitArguments(text: string): string[] {
  return text.match(new RegExp(`[^]{1,${charactersPerPiece}}`, "gu")) ?? [];
}

function functionOf(tool: unknown): JsonObject[] {
  return isJsonObject(tool) && isJsonObject(tool["function"]) ? [tool["function"]] : [];
}

function sampleValue(schema: unknown, said: string): unknown {
  if (!isJsonObject(schema)) return {};
  const [firstAllowed] = listField(schema, "enum");
  if (firstAllowed !== undefined) return firstAllowed;
  switch (schema["type"]) {
    case "string":
      return said;
    case "number":
    case "integer":
      return 1;
    case "boolean":
      return true;
    case "array":
      return [sampleValue(schema["items"], said)];
    default:
      return sampleObject(schema["properties"], said);
  }
}

function sampleObject(properties: unknown, said: string): JsonObject {
  if (!isJsonObject(properties)) return {};
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, sampleValue(schema, said)]));
}
