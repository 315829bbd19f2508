import { channelTypeInfo, type ChannelType } from "@one-api/contract/channel-types";
import generatedModels from "./generated-models.json" with { type: "json" };
import keptModels from "./kept-models.json" with { type: "json" };

/** Made from genai-prices by scripts/generate-models.ts. */
const generated: Readonly<Record<string, readonly string[]>> = generatedModels;

/** Kept by hand: dated and older names that callers still use, and providers that no price list covers. */
const kept: Readonly<Record<string, readonly string[]>> = keptModels;

const OPENAI_TYPE = 1 satisfies ChannelType;

/** Types that serve OpenAI's models under OpenAI's names, beside the resellers. */
const withOpenAiNames: ReadonlySet<number> = new Set([3, 8, 21, 22] satisfies ChannelType[]);

/** The models that a new channel of the type is offered, today's first, none twice. Empty for a type that has none of its own. */
export function modelsOfType(type: ChannelType): readonly string[] {
  const listed = channelTypeInfo(type)?.reseller === true || withOpenAiNames.has(type) ? OPENAI_TYPE : type;
  return [...new Set([...(generated[listed] ?? []), ...(kept[listed] ?? [])])];
}
