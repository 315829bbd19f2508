import { CHANNEL_TYPES } from "@one-api/contract/channels/channel-types";
import type { Service } from "@one-api/providers/provider";
import { providerOf } from "@one-api/providers/registry";
import type { Ability } from "./proofs.ts";

/** A provider in the test matrix. */
export interface Tried {
  readonly name: string;
  readonly type: number;
  readonly model: string;
  /** False if the stub calls a tool without a request. */
  readonly obeysToolChoice: boolean;
  readonly embeds?: string;
  /** Model that generates images. */
  readonly paints?: string;
  /** Model with realtime sessions. */
  readonly speaks?: string;
  /** Model with sessions of Google's Live API. */
  readonly lives?: string;
  /** Model that answers batches. */
  readonly answersLater?: string;
  /** API version of the channel, if there is one. */
  readonly other?: string;
  /** Abilities that its protocol does not have. */
  readonly lacks?: readonly Ability[];
  /** True if it reports a stream's usage without the request for it, and refuses that request. */
  readonly reportsUsageUnasked?: boolean;
  /** Default: a plain secret. Tests of older APIs pass one of several parts. It may contain the stub's address. */
  readonly key?: string | ((upstreamUrl: string) => string);
}

/** All providers with OpenAI's API that are not among the others. Each has its own model names. */
export function providersLikeOpenAi(others: readonly Tried[]): readonly Tried[] {
  return CHANNEL_TYPES.flatMap(({ type, name, label }) => {
    const provider = providerOf(type);
    const model = `${name}-chat`;
    const service = provider?.serve("chat-completions", model);
    if (
      service?.format.name !== "openai-chat" ||
      others.some((other) => other.type === type && other.key === undefined)
    )
      return [];
    const embeds = provider?.serve("embeddings", model) === undefined ? {} : { embeds: `${name}-embedding` };
    const painter = PAINTERS[name] ?? `${name}-image`;
    const paints = provider?.serve("image-generations", painter) === undefined ? {} : { paints: painter };
    const speaks = provider?.serve("realtime", model) === undefined ? {} : { speaks: `${name}-realtime` };
    const inBatch = IN_BATCHES[name] ?? model;
    const answersLater = provider?.batches?.priceFactor(inBatch) === undefined ? {} : { answersLater: inBatch };
    const other = VERSIONS[name] ?? "";
    const reportsUsageUnasked = !service.exact && !asksForUsage(service.format);
    const able = { ...embeds, ...paints, ...speaks, ...answersLater };
    return [{ name: label, type, model, other, obeysToolChoice: true, ...able, reportsUsageUnasked }];
  });
}

/** Models of providers that answer only some models in batches. */
const IN_BATCHES: Readonly<Record<string, string>> = {
  moonshot: "kimi-k2.6",
  novita: "openai/gpt-oss-120b",
};

/** Image models of providers whose request depends on the model's name. */
const PAINTERS: Readonly<Record<string, string>> = { cloudflare: "@cf/black-forest-labs/flux-1-schnell" };

/** API versions with more capabilities. */
const VERSIONS: Readonly<Record<string, string>> = { azure: "2025-04-01-preview" };

/** True for a format whose streams report usage on request. */
function asksForUsage(format: Service["format"]): boolean {
  const edits = { model: "m", systemPrompt: "", maxTokens: undefined, reportUsage: true };
  return "edit" in format && format.edit({ model: "m" }, edits).has("stream_options");
}
