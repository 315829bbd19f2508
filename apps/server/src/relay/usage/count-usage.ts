import {
  contextTokens,
  maxOutputTokens,
  UNKNOWN_MAX_OUTPUT_TOKENS,
} from "@one-api/providers/model-facts/max-output-tokens";
import { type TokenCounter, tokenCounter } from "@one-api/providers/shared/count-tokens";
import { completedBy, lacksTokens, NO_USAGE, type Usage } from "@one-api/providers/usage";
import type { OptionStore } from "../../core/option-store.ts";
import type { ParsedRequest } from "../body/index.ts";
import type { Service } from "@one-api/providers/provider";
import type { Price, UsageUpperBound } from "../pricing/index.ts";
import { type CountPrompt, createCountPrompt } from "./count-prompts.ts";
import type { AnswerStream } from "../translate/index.ts";
import { mediaUpperBound } from "../media/index.ts";

/** Never blocks other requests. */
export interface CountTokens {
  /** Loads the tokenizer, 57 MB of tables, in about 150 ms. Returns undefined if it is loaded or not used. */
  load(): Promise<void> | undefined;
  /** Counts at once, approximately until the tokenizer is loaded. Long texts are estimated from samples. */
  readonly text: TokenCounter;
  prompt(parsed: ParsedRequest, model: string): Promise<number>;
  /** Upper bound of the prompt's text, lower than by bytes; undefined if it cannot be counted. */
  promptAtMost(parsed: ParsedRequest, model: string): Promise<number | undefined>;
}

/** Other makers' tokenizers may produce more tokens than the one used here. OpenAI's are exact. */
const COUNT_MARGINS = { openai: 1.05, other: 1.4 } as const;
const OPENAI_MODEL = /^(?:openai\/)?(?:gpt-|chatgpt-|o\d|text-|ft:gpt-|davinci|babbage)/;
const COUNT_MARGIN_TOKENS = 16;

/** One thread per process: the tokenizer's tables are large and slow to build. */
const countInThread = createCountPrompt();

export function createCountTokens(
  options: Pick<OptionStore, "flag">,
  countPrompt: CountPrompt = countInThread,
): CountTokens {
  const mode = () => (options.flag("ApproximateTokenEnabled") ? "approximate" : "exact");
  let exact: TokenCounter | undefined;
  let approximate: TokenCounter = (text) => Math.ceil(text.length / 3);
  void tokenCounter("", "approximate").then((counter) => (approximate = counter));
  let loading: Promise<void> | undefined;
  return {
    load() {
      if (exact !== undefined || mode() === "approximate") return undefined;
      loading ??= tokenCounter("gpt-4o").then((counter) => void (exact = counter));
      return loading;
    },
    text: (text) => (mode() === "exact" && exact !== undefined ? exact(text) : approximate(text)),
    async prompt(parsed, model) {
      const counted = await countPrompt({ bytes: parsed.body.bytes, format: parsed.format.name, model, mode: mode() });
      return counted?.tokens ?? guessPromptTokens(parsed);
    },
    async promptAtMost(parsed, model) {
      const { hasImages, isOpen, audioPromptTokens } = parsed.prompt;
      if (parsed.media !== undefined || hasImages || isOpen || audioPromptTokens > 0) return undefined;
      const counted = await countPrompt({ bytes: parsed.body.bytes, format: parsed.format.name, model, mode: mode() });
      if (counted?.tokens === undefined || !counted.isWhole) return undefined;
      const margin = OPENAI_MODEL.test(model) ? COUNT_MARGINS.openai : COUNT_MARGINS.other;
      return Math.min(parsed.prompt.promptTokens, Math.ceil(counted.tokens * margin) + COUNT_MARGIN_TOKENS);
    },
  };
}

interface CountedRoute {
  readonly service: Service;
  readonly upstreamModel: string;
  readonly channel: { readonly calcPrompt: boolean };
}

/** Usage of a whole answer with no or an incomplete report. `readText` returns the model's text. */
export async function countAnswer(
  count: CountTokens,
  parsed: ParsedRequest,
  route: CountedRoute,
  readText: () => string,
  reported: Usage = NO_USAGE,
): Promise<Usage> {
  const ofRequest = usageOfRequest(parsed, route);
  if (ofRequest !== undefined) return ofRequest;
  const countText = () => (parsed.hasCompletion ? count.text(readText()) : 0);
  return {
    ...reported,
    promptTokens: reported.promptTokens || (await countPromptFor(count, parsed, route)),
    completionTokens: reported.completionTokens || countText(),
  };
}

function usageOfRequest({ format, body }: ParsedRequest, { service }: CountedRoute): Usage | undefined {
  const countUsage = service.format.chat?.countUsage;
  const asked = format.chat ?? format.askedChat;
  return countUsage === undefined || asked === undefined ? undefined : countUsage(asked.readRequest(body.json));
}

async function countPromptFor(
  count: CountTokens,
  parsed: ParsedRequest,
  { upstreamModel, channel }: CountedRoute,
): Promise<number> {
  return channel.calcPrompt ? await count.prompt(parsed, upstreamModel) : 0;
}

export type DeliveredStream = Pick<AnswerStream, "deliveredTokens" | "beside" | "usage">;

export function usageDelivered(stream: DeliveredStream): Usage {
  const { beside } = stream;
  const { audioCompletionTokens = 0, imageCompletionTokens = 0 } = beside ?? {};
  const completionTokens = stream.deliveredTokens() + audioCompletionTokens + imageCompletionTokens;
  return { ...NO_USAGE, ...beside, completionTokens };
}

/** Usage of a stream without a report, or interrupted after one: at least the reported usage. */
export async function countStream(
  count: CountTokens,
  parsed: ParsedRequest,
  route: CountedRoute,
  stream: DeliveredStream,
): Promise<Usage> {
  const ofRequest = usageOfRequest(parsed, route);
  if (ofRequest !== undefined) return ofRequest;
  const reported = stream.usage;
  const delivered = usageDelivered(stream);
  const known = reported === undefined ? delivered : completedBy(reported, delivered);
  return {
    ...known,
    promptTokens: known.promptTokens || (await countPromptFor(count, parsed, route)),
    completionTokens: Math.max(known.completionTokens, delivered.completionTokens),
  };
}

/** False if a report omits the prompt or the completion, or counts searches instead of tokens. */
export function isWholeReport(
  { media, hasCompletion }: Pick<ParsedRequest, "media" | "hasCompletion">,
  { price, service }: { readonly price: Pick<Price, "unit">; readonly service: Service },
  usage: Usage,
): boolean {
  if (price.unit !== "token" || service.format.chat?.countUsage !== undefined) return true;
  if (media === undefined || media.kind === "ranking") return !lacksTokens(usage, hasCompletion);
  // Missing amounts of images and sound are completed from the request and the answer.
  return media.kind !== "recording" || usage.completionTokens > 0;
}

/** Bound of billed answers: the request's limit, the provider's choice, or none since the request alone is billed. */
export type AnswerTerms = "limited" | "unlimited" | "free";

export function answerTerms(candidates: readonly { readonly service: Service }[]): AnswerTerms {
  let terms: AnswerTerms = "free";
  for (const { service } of candidates) {
    if (service.format.chat?.isUnlimited === true) return "unlimited";
    if (service.format.chat?.countUsage === undefined) terms = "limited";
  }
  return terms;
}

export function usageUpperBound(
  parsed: ParsedRequest,
  models: readonly string[],
  terms: AnswerTerms = "limited",
): UsageUpperBound {
  const { promptTokens, audioPromptTokens, hasImages, isOpen, toolFees, wantsAudio } = parsed.prompt;
  const longestOfModels = () => Math.max(...models.map((model) => maxOutputTokens(model) ?? UNKNOWN_MAX_OUTPUT_TOKENS));
  const longest =
    terms === "unlimited"
      ? Math.max(parsed.maxTokens ?? 0, longestOfModels())
      : (parsed.maxTokens ?? longestOfModels());
  const hasMedia = hasImages || audioPromptTokens > 0;
  const context = isOpen || hasMedia ? Math.max(...models.map(contextTokens)) : 0;
  const bound = {
    promptTokens,
    audioPromptTokens: audioPromptTokens + (isOpen ? context : 0),
    hasImages,
    completionTokens:
      parsed.hasCompletion && terms !== "free" ? (longest + parsed.unlimitedTokens) * parsed.answers : 0,
    wantsAudio,
    priceFactor: Math.max(...models.map(parsed.priceFactorOf)),
    ...(parsed.tier !== undefined && { namesTier: true }),
    toolFees,
  };
  if (!hasMedia && parsed.media === undefined) return bound;
  return {
    ...bound,
    // Sizes of linked or compressed media are unknown here, so bounds are typical values.
    ...(hasMedia && { believablePromptTokens: context }),
    ...(parsed.media && mediaUpperBound(parsed.media, models)),
  };
}

/** Completion tokens that the balance pays for, up to the model's maximum; undefined without a limit. */
export function limitOfBalance(cappedTokens: number | undefined, model: string): number | undefined {
  return cappedTokens === undefined ? undefined : Math.min(cappedTokens, maxOutputTokens(model) ?? cappedTokens);
}

/** For rate limits that are corrected later. */
export function tokensUpperBound(parsed: ParsedRequest): number {
  const { promptTokens, audioPromptTokens, completionTokens } = usageUpperBound(parsed, [parsed.model]);
  return promptTokens + audioPromptTokens + completionTokens;
}

export const BYTES_PER_TOKEN = 4;

export function guessPromptTokens({ prompt }: ParsedRequest): number {
  return Math.ceil(prompt.promptTokens / BYTES_PER_TOKEN) + prompt.audioPromptTokens;
}
