import { isJsonObject, type JsonObject, listField } from "../../../stub-kit/json-fields.ts";
import { openAiErrorBody, RequestRefused } from "../../../stub-kit/refusal.ts";

const MOST_LIKELIEST = 20;

/** A piece of an answer as a token, and how likely it was, as a natural logarithm. */
interface LikelyToken {
  readonly token: string;
  readonly logprob: number;
}

/** The longer a piece is, the less likely it was: an eighth for each letter, so that no number is rounded on its way. */
function likelyToken(token: string): LikelyToken {
  return { token, logprob: -Array.from(token).length / 8 };
}

/** What could have stood in the place of a piece: itself first, then itself with ever more exclamation marks. */
function likeliestTokens(piece: string, count: number): readonly LikelyToken[] {
  return Array.from({ length: count }, (_, more) => likelyToken(piece + "!".repeat(more)));
}

/** How many likeliest tokens a request wants beside each one; undefined where it wants to know nothing of its tokens. */
export type WantedTokens = number | undefined;

/**
 * What chat completions and Ollama's chats ask for in `logprobs` and `top_logprobs`. Throws RequestRefused (400) for what OpenAI refuses.
 * Source: https://platform.openai.com/docs/api-reference/chat/create
 */
export function wantedByChat({ logprobs, top_logprobs: likeliest }: JsonObject): WantedTokens {
  if ((likeliest ?? undefined) !== undefined && logprobs !== true) {
    const message = "Invalid value for 'top_logprobs': it is only allowed when 'logprobs' is true.";
    throw new RequestRefused(400, openAiErrorBody(message, { param: "top_logprobs" }));
  }
  return logprobs === true ? readCount(likeliest, "top_logprobs") : undefined;
}

/** What a request of Responses asks for. Source: https://platform.openai.com/docs/api-reference/responses/create */
export function wantedByResponses(body: JsonObject): WantedTokens {
  const asks = listField(body, "include").includes("message.output_text.logprobs");
  return asks ? readCount(body["top_logprobs"], "top_logprobs") : undefined;
}

/** What Google's requests ask for. Source: https://ai.google.dev/api/generate-content#GenerationConfig */
export function wantedByContents({ generationConfig }: JsonObject): WantedTokens {
  const { responseLogprobs, logprobs } = isJsonObject(generationConfig) ? generationConfig : {};
  if (logprobs !== undefined && responseLogprobs !== true) {
    throw new RequestRefused(400, openAiErrorBody("Logprobs can only be set when response_logprobs is true."));
  }
  return responseLogprobs === true ? readCount(logprobs, "logprobs") : undefined;
}

function readCount(count: unknown, param: string): number {
  if ((count ?? undefined) === undefined) return 0;
  if (typeof count === "number" && Number.isInteger(count) && count >= 0 && count <= MOST_LIKELIEST) return count;
  const message = `Invalid '${param}': expected an integer from 0 to ${MOST_LIKELIEST}.`;
  throw new RequestRefused(400, openAiErrorBody(message, { param }));
}

/** Pieces as OpenAI's newer APIs and Ollama tell them; undefined where nobody asked. */
export function tellTokens(pieces: readonly string[], wanted: WantedTokens): readonly JsonObject[] | undefined {
  if (wanted === undefined) return undefined;
  const tell = (likely: LikelyToken) => ({ ...likely, bytes: [...Buffer.from(likely.token)] });
  return pieces.map((piece) => ({
    ...tell(likelyToken(piece)),
    top_logprobs: likeliestTokens(piece, wanted).map(tell),
  }));
}

/** Pieces as a chat completion tells them; null where nobody asked. */
export function tellChatTokens(pieces: readonly string[], wanted: WantedTokens): JsonObject | null {
  return wanted === undefined ? null : { content: tellTokens(pieces, wanted), refusal: null };
}

/** Pieces as Google tells them: the fields of a candidate. */
export function tellContentTokens(pieces: readonly string[], wanted: WantedTokens): JsonObject {
  if (wanted === undefined || pieces.length === 0) return {};
  const tell = ({ token, logprob }: LikelyToken) => ({ token, logProbability: logprob });
  const chosenCandidates = pieces.map((piece) => tell(likelyToken(piece)));
  const topCandidates = pieces.map((piece) => ({ candidates: likeliestTokens(piece, wanted).map(tell) }));
  return { logprobsResult: { chosenCandidates, ...(wanted > 0 && { topCandidates }) } };
}

/** A piece as Cohere tells it, who never tells what else was likely. Source: https://docs.cohere.com/reference/chat */
export function tellCoherePiece(text: string): JsonObject {
  return { text, token_ids: Array.from(Buffer.from(text)), logprobs: [likelyToken(text).logprob] };
}

/** Pieces as completions tell them. `offset`: of the first one, in letters from the beginning of the prompt. */
export function tellCompletionTokens(
  pieces: readonly string[],
  wanted: WantedTokens,
  offset: number,
): JsonObject | null {
  if (wanted === undefined) return null;
  const before = pieces.map((_, index) => Array.from(pieces.slice(0, index).join("")).length);
  const tell = ({ token, logprob }: LikelyToken) => [token, logprob] as const;
  return {
    tokens: pieces,
    token_logprobs: pieces.map((piece) => likelyToken(piece).logprob),
    top_logprobs:
      wanted === 0 ? null : pieces.map((piece) => Object.fromEntries(likeliestTokens(piece, wanted).map(tell))),
    text_offset: before.map((letters) => offset + letters),
  };
}
