import { CHANNEL_TYPES } from "@one-api/contract/channels/channel-types";
import type { Service } from "@one-api/providers/provider";
import { providerOf } from "@one-api/providers/registry";
import type { Ability } from "./proofs.ts";

/** A provider as the table of tests asks it. */
export interface Tried {
  readonly name: string;
  readonly type: number;
  readonly model: string;
  /** It can be told to call a tool; else the stub does so by itself. */
  readonly obeysToolChoice: boolean;
  readonly embeds?: string;
  /** A model that makes pictures. */
  readonly paints?: string;
  /** A model that holds realtime sessions. */
  readonly speaks?: string;
  /** The same as Google holds them. */
  readonly lives?: string;
  /** A model of which it answers batches. */
  readonly answersLater?: string;
  /** Version of the API, where the channel names one. */
  readonly other?: string;
  /** What its protocol has no place for. */
  readonly lacks?: readonly Ability[];
  /** It reports the usage of a stream without being asked, and refuses to be asked. */
  readonly reportsUsageUnasked?: boolean;
  /** Default: one plain secret. One of several parts for the older of a provider's APIs. It may name where the stub is. */
  readonly key?: string | ((upstreamUrl: string) => string);
}

/** The providers that speak OpenAI's API, all that are not among the others. Their models have names of their own, so that each is asked. */
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

/** Models that are answered in batches where a provider does not answer all of them there. */
const IN_BATCHES: Readonly<Record<string, string>> = {
  moonshot: "kimi-k2.6",
  novita: "openai/gpt-oss-120b",
};

/** Models that make pictures where a provider is asked by the model's name. */
const PAINTERS: Readonly<Record<string, string>> = { cloudflare: "@cf/black-forest-labs/flux-1-schnell" };

/** API versions of those that have more at newer ones. */
const VERSIONS: Readonly<Record<string, string>> = { azure: "2025-04-01-preview" };

/** True for a format whose streams report their usage when they are told to. */
function asksForUsage(format: Service["format"]): boolean {
  const edits = { model: "m", systemPrompt: "", maxTokens: undefined, reportUsage: true };
  return "edit" in format && format.edit({ model: "m" }, edits).has("stream_options");
}
