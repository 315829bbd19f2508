import { type JsonObject, listField, objectField } from "../../../stub-kit/json-fields.ts";
import { refuse } from "../../../stub-kit/refusal.ts";

const MOST_LIKELIEST = 20;

/** A piece of an answer as a token, and the natural logarithm of its probability. */
interface LikelyToken {
  readonly token: string;
  readonly logprob: number;
}

/** -1/8 per character: exact in binary, so no translation rounds it. */
function likelyToken(token: string): LikelyToken {
  return { token, logprob: -Array.from(token).length / 8 };
}

function likeliestTokens(piece: string, count: number): readonly LikelyToken[] {
  return Array.from({ length: count }, (_, more) => likelyToken(piece + "!".repeat(more)));
}

export type WantedTokens = number | undefined;

/**
 * Reads `logprobs` and `top_logprobs` of chat completions and Ollama's chats. Throws RequestRefused (400) like OpenAI.
 * Source: https://platform.openai.com/docs/api-reference/chat/create
 */
export function wantedByChat({ logprobs, top_logprobs: likeliest }: JsonObject): WantedTokens {
  if ((likeliest ?? undefined) !== undefined && logprobs !== true) {
    const message = "Invalid value for 'top_logprobs': it is only allowed when 'logprobs' is true.";
    refuse(message, { param: "top_logprobs" });
  }
  return logprobs === true ? readCount(likeliest, "top_logprobs") : undefined;
}

/** Source: https://platform.openai.com/docs/api-reference/responses/create */
export function wantedByResponses(body: JsonObject): WantedTokens {
  const asks = listField(body, "include").includes("message.output_text.logprobs");
  return asks ? readCount(body["top_logprobs"], "top_logprobs") : undefined;
}

/** Source: https://ai.google.dev/api/generate-content#GenerationConfig */
export function wantedByContents(body: JsonObject): WantedTokens {
  const { responseLogprobs, logprobs } = objectField(body, "generationConfig");
  if (logprobs !== undefined && responseLogprobs !== true)
    refuse("Logprobs can only be set when response_logprobs is true.");
  return responseLogprobs === true ? readCount(logprobs, "logprobs") : undefined;
}

function readCount(count: unknown, param: string): number {
  if ((count ?? undefined) === undefined) return 0;
  if (typeof count === "number" && Number.isInteger(count) && count >= 0 && count <= MOST_LIKELIEST) return count;
  return refuse(`Invalid '${param}': expected an integer from 0 to ${MOST_LIKELIEST}.`, { param });
}

/** Form of OpenAI's newer APIs and Ollama's; undefined if not requested. */
export function writeLogprobs(pieces: readonly string[], wanted: WantedTokens): readonly JsonObject[] | undefined {
  if (wanted === undefined) return undefined;
  const write = (likely: LikelyToken) => ({ ...likely, bytes: [...Buffer.from(likely.token)] });
  return pieces.map((piece) => ({
    ...write(likelyToken(piece)),
    top_logprobs: likeliestTokens(piece, wanted).map(write),
  }));
}

/** Form of chat completions; null if not requested. */
export function writeChatLogprobs(pieces: readonly string[], wanted: WantedTokens): JsonObject | null {
  return wanted === undefined ? null : { content: writeLogprobs(pieces, wanted), refusal: null };
}

/** Google's form: the fields of a candidate. */
export function writeContentLogprobs(pieces: readonly string[], wanted: WantedTokens): JsonObject {
  if (wanted === undefined || pieces.length === 0) return {};
  const write = ({ token, logprob }: LikelyToken) => ({ token, logProbability: logprob });
  const chosenCandidates = pieces.map((piece) => write(likelyToken(piece)));
  const topCandidates = pieces.map((piece) => ({ candidates: likeliestTokens(piece, wanted).map(write) }));
  return { logprobsResult: { chosenCandidates, ...(wanted > 0 && { topCandidates }) } };
}

/** Cohere's form, without alternatives. Source: https://docs.cohere.com/reference/chat */
export function writeCoherePiece(text: string): JsonObject {
  return { text, token_ids: Array.from(Buffer.from(text)), logprobs: [likelyToken(text).logprob] };
}

/** Form of completions. `offset`: of the first token, in characters from the start of the prompt. */
export function writeCompletionLogprobs(
  pieces: readonly string[],
  wanted: WantedTokens,
  offset: number,
): JsonObject | null {
  if (wanted === undefined) return null;
  const before = pieces.map((_, index) => Array.from(pieces.slice(0, index).join("")).length);
  const write = ({ token, logprob }: LikelyToken) => [token, logprob] as const;
  return {
    tokens: pieces,
    token_logprobs: pieces.map((piece) => likelyToken(piece).logprob),
    top_logprobs:
      wanted === 0 ? null : pieces.map((piece) => Object.fromEntries(likeliestTokens(piece, wanted).map(write))),
    text_offset: before.map((letters) => offset + letters),
  };
}
