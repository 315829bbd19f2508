import { CHANNEL_TYPES, type ChannelTypeName } from "@one-api/contract/channels/channel-types";
import type { OldProduct } from "./old-server.ts";

/** What an old channel is here. */
export interface FoundChannelType {
  readonly type: number;
  /** Where its requests go when it names no address itself; empty for the type's own. */
  readonly baseUrl: string;
}

interface Meaning {
  readonly name: ChannelTypeName;
  readonly baseUrl?: string;
}

/**
 * Kinds that One API has beside those whose numbers are the same here. Source: https://github.com/songquanpeng/one-api, relay/channeltype (define.go
 * and url.go, read in November 2026).
 */
const OF_ONE_API: ReadonlyMap<number, Meaning> = new Map<number, Meaning>([
  [47, { name: "baidu" }],
  [48, { name: "spark" }],
  [49, { name: "qwen" }],
  [50, { name: "custom" }],
  [51, { name: "custom", baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai" }],
]);

/**
 * Where new-api's numbers are others than One API's: what they mean here, or what they are called there when there is no such kind here. Source:
 * https://github.com/QuantumNous/new-api, constant/channel.go (read in November 2026). Beyond 57 its versions differ.
 */
const OF_NEW_API: ReadonlyMap<number, Meaning | string> = new Map<number, Meaning | string>([
  [2, "Midjourney"],
  [4, { name: "ollama" }],
  [5, "Midjourney Plus"],
  [26, { name: "zhipu" }],
  [27, "Perplexity"],
  [34, { name: "cohere" }],
  [35, { name: "minimax" }],
  [36, "Suno"],
  [37, "Dify"],
  [38, "Jina"],
  [39, { name: "cloudflare" }],
  [40, { name: "siliconflow" }],
  [41, { name: "vertex" }],
  [42, { name: "mistral" }],
  [43, { name: "deepseek" }],
  [44, "MokaAI"],
  [45, { name: "doubao" }],
  [46, { name: "baidu" }],
  [47, { name: "custom" }],
  [48, { name: "xai" }],
  [49, { name: "coze", baseUrl: "https://api.coze.cn" }],
  [50, "Kling"],
  [51, "Jimeng"],
  [52, "Vidu"],
  [53, { name: "custom", baseUrl: "https://llm.submodel.ai" }],
  [54, "Doubao Video"],
  [55, "Sora"],
  [56, { name: "replicate" }],
  [57, "Codex"],
]);

/** The first number that means the same in both products only where a table above says so. */
const FIRST_OWN_OF_NEW_API = 34;
const numberOf = new Map<string, number>(CHANNEL_TYPES.map(({ name, type }) => [name, type]));

/** What a number of the old product means here; a text says why there is nothing. */
export function findChannelType(product: OldProduct, type: number): FoundChannelType | string {
  const found = (product === "new-api" ? OF_NEW_API : OF_ONE_API).get(type);
  if (typeof found === "string") return `there are no channels of the kind ${found} here`;
  if (found !== undefined) return { type: numberOf.get(found.name) ?? 0, baseUrl: found.baseUrl ?? "" };
  const isShared = CHANNEL_TYPES.some((info) => info.type === type);
  if (!isShared || (product === "new-api" && type >= FIRST_OWN_OF_NEW_API))
    return `there are no channels of its kind here (number ${type} of ${product})`;
  return { type, baseUrl: "" };
}
