import { CHANNEL_TYPES, type ChannelTypeName } from "@one-api/contract/channels/channel-types";
import type { OldProduct } from "./old-server.ts";

export interface FoundChannelType {
  readonly type: number;
  /** Base URL of channels that have none; empty for the type's default. */
  readonly baseUrl: string;
}

interface Target {
  readonly name: ChannelTypeName;
  readonly baseUrl?: string;
}

/**
 * Types of One API with another number here; all others have the same. Source: https://github.com/songquanpeng/one-api, relay/channeltype (define.go and
 * url.go, read in November 2026).
 */
const ONE_API_TYPES: ReadonlyMap<number, Target> = new Map<number, Target>([
  [47, { name: "baidu" }],
  [48, { name: "spark" }],
  [49, { name: "qwen" }],
  [50, { name: "custom" }],
  [51, { name: "custom", baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai" }],
]);

/**
 * Numbers of new-api that differ from One API's: the type here, or the name of a type that does not exist here. Versions differ beyond 57. Source:
 * https://github.com/QuantumNous/new-api, constant/channel.go (read in November 2026).
 */
const NEW_API_TYPES: ReadonlyMap<number, Target | string> = new Map<number, Target | string>([
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

/** From this number on, only the table maps numbers of new-api. */
const FIRST_OWN_NEW_API_TYPES = 34;
const numberOf = new Map<string, number>(CHANNEL_TYPES.map(({ name, type }) => [name, type]));

/** Returns the type of an old number, or the reason why there is none. */
export function findChannelType(product: OldProduct, type: number): FoundChannelType | string {
  const found = (product === "new-api" ? NEW_API_TYPES : ONE_API_TYPES).get(type);
  if (typeof found === "string") return `there are no channels of the kind ${found} here`;
  if (found !== undefined) return { type: numberOf.get(found.name) ?? 0, baseUrl: found.baseUrl ?? "" };
  const isShared = CHANNEL_TYPES.some((info) => info.type === type);
  if (!isShared || (product === "new-api" && type >= FIRST_OWN_NEW_API_TYPES))
    return `there are no channels of its kind here (number ${type} of ${product})`;
  return { type, baseUrl: "" };
}
