import { contextTokens, maxOutputTokens, UNKNOWN_MAX_OUTPUT_TOKENS } from "@one-api/providers/models/max-output-tokens";
import { type TokenCounter, tokenCounter } from "@one-api/providers/shared/count-tokens";
import { completedBy, lacksTokens, NO_USAGE, type Usage } from "@one-api/providers/usage";
import type { OptionStore } from "../../core/option-store.ts";
import type { ParsedRequest } from "../body/index.ts";
import type { Service } from "@one-api/providers/provider";
import type { Price, UsageUpperBound } from "../pricing/index.ts";
import { type CountPrompt, createCountPrompt } from "./count-prompts.ts";
import type { AnswerStream } from "../translate/index.ts";
import { mediaUpperBound } from "../media/index.ts";

/** Counts model tokens here, for providers that do not report them. Nothing of it holds up other calls. */
export interface CountTokens {
  /** Counts a text at once; until the tokenizer is loaded the count is the approximate one. Long texts are estimated from slices. */
  readonly text: TokenCounter;
  /** The prompt of a request as the model would count it; about that where it is too long, or too many are counted already. */
  prompt(ask: ParsedRequest, model: string): Promise<number>;
  /** The tokens that the prompt's text has at the most, closer than by its bytes; undefined where that cannot be told. */
  promptAtMost(ask: ParsedRequest, model: string): Promise<number | undefined>;
}

/** Tokenizers of other makers than OpenAI may make more tokens of a text than the one that counts here; OpenAI's own are counted exactly. */
const COUNT_MARGINS = { openai: 1.05, other: 1.4 } as const;
const OPENAI_MODEL = /^(?:openai\/)?(?:gpt-|chatgpt-|o\d|text-|ft:gpt-|davinci|babbage)/;
const COUNT_MARGIN_TOKENS = 16;

/** A process counts in one thread, whatever runs in it: the tokenizer's tables are large, and take long to build. */
const countInThread = createCountPrompt();

/** Builds the counters and starts to load the tokenizer, which takes some 100 ms. */
export function createCountTokens(
  options: Pick<OptionStore, "flag">,
  countPrompt: CountPrompt = countInThread,
): CountTokens {
  const mode = () => (options.flag("ApproximateTokenEnabled") ? "approximate" : "exact");
  let exact: TokenCounter | undefined;
  let approximate: TokenCounter = (text) => Math.ceil(text.length / 3);
  void tokenCounter("", "approximate").then((counter) => (approximate = counter));
  void tokenCounter("gpt-4o", "exact").then((counter) => (exact = counter));
  return {
    text: (text) => (mode() === "exact" && exact !== undefined ? exact(text) : approximate(text)),
    async prompt(ask, model) {
      const counted = await countPrompt({ bytes: ask.body.bytes, format: ask.format.name, model, mode: mode() });
      return counted?.tokens ?? guessPromptTokens(ask);
    },
    async promptAtMost(ask, model) {
      const { hasImages, isOpen, audioPromptTokens } = ask.prompt;
      if (ask.media !== undefined || hasImages || isOpen || audioPromptTokens > 0) return undefined;
      const counted = await countPrompt({ bytes: ask.body.bytes, format: ask.format.name, model, mode: mode() });
      if (counted?.tokens === undefined || !counted.isWhole) return undefined;
      const margin = OPENAI_MODEL.test(model) ? COUNT_MARGINS.openai : COUNT_MARGINS.other;
      return Math.min(ask.prompt.promptTokens, Math.ceil(counted.tokens * margin) + COUNT_MARGIN_TOKENS);
    },
  };
}

/** The candidate that answered. */
interface CountedRoute {
  readonly service: Service;
  readonly upstreamModel: string;
  readonly channel: { readonly calcPrompt: boolean };
}

/** The usage of a whole answer whose provider reports none, or half of one. `readText` returns what the model wrote. */
export async function countAnswer(
  count: CountTokens,
  ask: ParsedRequest,
  route: CountedRoute,
  readText: () => string,
  reported: Usage = NO_USAGE,
): Promise<Usage> {
  const ofRequest = usageOfRequest(ask, route);
  if (ofRequest !== undefined) return ofRequest;
  const countText = () => (ask.hasCompletion ? count.text(readText()) : 0);
  return {
    ...reported,
    promptTokens: reported.promptTokens || (await countPromptFor(count, ask, route)),
    completionTokens: reported.completionTokens || countText(),
  };
}

/** What a request is billed as at a provider where the request alone decides that; undefined elsewhere. */
function usageOfRequest({ format, body }: ParsedRequest, { service }: CountedRoute): Usage | undefined {
  const countUsage = service.format.chat?.countUsage;
  const asked = format.chat ?? format.askedChat;
  return countUsage === undefined || asked === undefined ? undefined : countUsage(asked.readRequest(body.json));
}

async function countPromptFor(
  count: CountTokens,
  ask: ParsedRequest,
  { upstreamModel, channel }: CountedRoute,
): Promise<number> {
  return channel.calcPrompt ? await count.prompt(ask, upstreamModel) : 0;
}

/** What a stream has delivered, and what its provider has reported of it. */
export type DeliveredStream = Pick<AnswerStream, "deliveredTokens" | "beside" | "usage">;

/** What a stream has delivered, without the prompt: text, sound, pictures and what tools found, at the price of its tier. */
export function usageDelivered(stream: DeliveredStream): Usage {
  const { beside } = stream;
  const { audioCompletionTokens = 0, imageCompletionTokens = 0 } = beside ?? {};
  const completionTokens = stream.deliveredTokens() + audioCompletionTokens + imageCompletionTokens;
  return { ...NO_USAGE, ...beside, completionTokens };
}

/** The usage of a stream without a report, or cut off after its last one: never less than what was reported. */
export async function countStream(
  count: CountTokens,
  ask: ParsedRequest,
  route: CountedRoute,
  stream: DeliveredStream,
): Promise<Usage> {
  const ofRequest = usageOfRequest(ask, route);
  if (ofRequest !== undefined) return ofRequest;
  const reported = stream.usage;
  const delivered = usageDelivered(stream);
  const known = reported === undefined ? delivered : completedBy(reported, delivered);
  return {
    ...known,
    promptTokens: known.promptTokens || (await countPromptFor(count, ask, route)),
    completionTokens: Math.max(known.completionTokens, delivered.completionTokens),
  };
}

/** False where a report leaves out what is to be paid: it counts no prompt, no completion, or searches where tokens are paid. */
export function isWholeReport(
  { media, hasCompletion }: Pick<ParsedRequest, "media" | "hasCompletion">,
  { price, service }: { readonly price: Pick<Price, "unit">; readonly service: Service },
  usage: Usage,
): boolean {
  if (price.unit !== "token" || service.format.chat?.countUsage !== undefined) return true;
  if (media === undefined || media.kind === "ranking") return !lacksTokens(usage, hasCompletion);
  // What of pictures and sound is not reported is completed from what was asked and delivered.
  return media.kind !== "recording" || usage.completionTokens > 0;
}

/** What is billed of answers: up to the request's limit, whatever the provider sees fit, or nothing at all because the request alone decides. */
export type AnswerTerms = "limited" | "unlimited" | "free";

/** The terms that cover all of the routes. */
export function answerTerms(candidates: readonly { readonly service: Service }[]): AnswerTerms {
  let terms: AnswerTerms = "free";
  for (const { service } of candidates) {
    if (service.format.chat?.isUnlimited === true) return "unlimited";
    if (service.format.chat?.countUsage === undefined) terms = "limited";
  }
  return terms;
}

/** What a request may use at the most with any of the models, from what its body says and without counting anything. */
export function usageUpperBound(
  ask: ParsedRequest,
  models: readonly string[],
  terms: AnswerTerms = "limited",
): UsageUpperBound {
  const { promptTokens, audioPromptTokens, hasImages, isOpen, toolFees, wantsAudio } = ask.prompt;
  const longestOfModels = () => Math.max(...models.map((model) => maxOutputTokens(model) ?? UNKNOWN_MAX_OUTPUT_TOKENS));
  const longest =
    terms === "unlimited" ? Math.max(ask.maxTokens ?? 0, longestOfModels()) : (ask.maxTokens ?? longestOfModels());
  const hasMedia = hasImages || audioPromptTokens > 0;
  const context = isOpen || hasMedia ? Math.max(...models.map(contextTokens)) : 0;
  const bound = {
    promptTokens,
    audioPromptTokens: audioPromptTokens + (isOpen ? context : 0),
    hasImages,
    completionTokens: ask.hasCompletion && terms !== "free" ? (longest + ask.unlimitedTokens) * ask.answers : 0,
    wantsAudio,
    priceFactor: Math.max(...models.map(ask.priceFactorOf)),
    toolFees,
  };
  if (!hasMedia && ask.media === undefined) return bound;
  return {
    ...bound,
    // Pictures and sound are bounded by what they usually are: what stands at an address, and how sound is packed, only the provider learns.
    ...(hasMedia && { believablePromptTokens: context }),
    ...(ask.media && mediaUpperBound(ask.media, models)),
  };
}

/** The limit that the balance sets, in completion tokens, as far as the model's own is not lower; undefined where it sets none. */
export function limitOfBalance(cappedTokens: number | undefined, model: string): number | undefined {
  return cappedTokens === undefined ? undefined : Math.min(cappedTokens, maxOutputTokens(model) ?? cappedTokens);
}

/** Returns how many model tokens the request may use at the most, prompt and answers, for limits that are put right afterwards. */
export function tokensUpperBound(ask: ParsedRequest): number {
  const { promptTokens, audioPromptTokens, completionTokens } = usageUpperBound(ask, [ask.model]);
  return promptTokens + audioPromptTokens + completionTokens;
}

/** A token has about this many bytes. */
export const BYTES_PER_TOKEN = 4;

/** Returns about how many tokens the prompt has. */
export function guessPromptTokens({ prompt }: ParsedRequest): number {
  return Math.ceil(prompt.promptTokens / BYTES_PER_TOKEN) + prompt.audioPromptTokens;
}
