import * as models from "gpt-tokenizer/models";
import type { PriceUnit } from "@one-api/contract/prices/price-unit";
import { defaultPrice } from "../prices/default-price.ts";
import { type PriceList, priceListInUse } from "../prices/price-list.ts";
import { usualUnit } from "../prices/price-unit.ts";
import { knownContextTokens, maxOutputTokens, withoutVendor } from "./max-output-tokens.ts";

export type Ability = "images" | "audio" | "speech" | "drawing" | "tools" | "reasoning" | "embeddings";

export interface ModelFacts {
  readonly contextTokens: number | undefined;
  readonly maxOutputTokens: number | undefined;
  readonly abilities: readonly Ability[];
  /** The answer has no tokens: numbers, an order or a judgement. */
  readonly isInputOnly: boolean;
  /** Answers chats with pictures without an explicit request. */
  readonly drawsInChats: boolean;
  /** Answers chats with text. True for models that no list has. */
  readonly chats: boolean;
}

/**
 * Abilities of families that no list has. Sources: https://docs.anthropic.com/en/docs/about-claude/models/overview,
 * https://ai.google.dev/gemini-api/docs/models and https://api-docs.deepseek.com/guides/thinking_mode
 */
const families: readonly (readonly [RegExp, readonly Ability[]])[] = [
  [/^claude-3-(?:opus|sonnet|haiku|5)/, ["images", "tools"]],
  [/^claude-(?:3-7|opus|sonnet|haiku|fable)/, ["images", "tools", "reasoning"]],
  [/^gemini-embedding/, ["embeddings"]],
  [/^gemini-(?:1\.5|2\.0)/, ["images", "audio", "tools"]],
  [/^gemini-/, ["images", "audio", "tools", "reasoning"]],
  [/^deepseek-chat/, ["tools"]],
  [/^deepseek-(?:reasoner|v4)/, ["tools", "reasoning"]],
  [/embed|(?:^|\/)bge-(?!reranker)/, ["embeddings"]],
];

/**
 * Names of models that draw: `gemini-3-pro-image-preview`, `openai/gpt-5-image`. Sources:
 * https://ai.google.dev/gemini-api/docs/image-generation and https://openrouter.ai/docs/features/multimodal/image-generation
 */
const DRAWS = /-image(?:-|$)/i;

const RANKS_OR_JUDGES = /rerank|moderation/i;

const ofOpenAI = new Map<string, readonly Ability[]>(
  Object.entries(models).map(([name, spec]) => {
    const input: readonly string[] = "modalities" in spec ? spec.modalities.input : [];
    const output: readonly string[] = "modalities" in spec ? spec.modalities.output : [];
    const features: readonly string[] = "supported_features" in spec ? spec.supported_features : [];
    const endpoints: readonly string[] = "supported_endpoints" in spec ? spec.supported_endpoints : [];
    const abilities: readonly (readonly [Ability, boolean])[] = [
      ["images", input.includes("image")],
      ["audio", input.includes("audio")],
      ["speech", output.includes("audio")],
      ["drawing", output.includes("image")],
      ["tools", features.includes("function_calling")],
      ["reasoning", "reasoning_tokens" in spec && spec.reasoning_tokens],
      ["embeddings", endpoints.includes("embeddings")],
    ];
    return [name, abilities.flatMap(([ability, can]) => (can ? [ability] : []))];
  }),
);

const CHAT_ENDPOINTS = ["chat_completions", "responses", "completions"];

/** OpenAI's models that only speak, transcribe, draw, embed or judge. */
const otherModelsOfOpenAI: ReadonlySet<string> = new Set(
  Object.entries(models).flatMap(([name, spec]) => {
    const endpoints: readonly string[] = "supported_endpoints" in spec ? spec.supported_endpoints : [];
    return endpoints.length === 0 || endpoints.some((endpoint) => CHAT_ENDPOINTS.includes(endpoint)) ? [] : [name];
  }),
);

const ABILITY_OF_UNIT: Readonly<Partial<Record<PriceUnit, Ability>>> = {
  image: "drawing",
  character: "speech",
  second: "audio",
};

const MAX_REMEMBERED = 10_000;
const remembered = new Map<string, ModelFacts>();
let rememberedOf: PriceList | undefined;

/** Returns the facts that the lists have on a model; ignores a vendor before the name. */
export function modelFacts(model: string): ModelFacts {
  if (rememberedOf !== priceListInUse() || remembered.size >= MAX_REMEMBERED) {
    remembered.clear();
    rememberedOf = priceListInUse();
  }
  const known = remembered.get(model);
  if (known !== undefined) return known;
  const abilities = abilitiesOf(model);
  const drawsInChats =
    abilities.includes("drawing") || DRAWS.test(model) || defaultPrice(model)?.imageOutput !== undefined;
  const isInputOnly = abilities.includes("embeddings") || RANKS_OR_JUDGES.test(model);
  const facts = {
    contextTokens: knownContextTokens(model),
    maxOutputTokens: maxOutputTokens(model),
    abilities,
    drawsInChats,
    isInputOnly,
    chats: !drawsInChats && !isInputOnly && !otherModelsOfOpenAI.has(withoutVendor(model)),
  };
  remembered.set(model, facts);
  return facts;
}

export function knownAbilities(model: string): readonly Ability[] | undefined {
  const name = withoutVendor(model);
  return ofOpenAI.get(name) ?? families.find(([family]) => family.test(name.toLowerCase()))?.[1];
}

function abilitiesOf(model: string): readonly Ability[] {
  const known = knownAbilities(model);
  if (known !== undefined) return known;
  // A price for a kind of input or output implies the ability.
  const price = defaultPrice(model);
  const made = ABILITY_OF_UNIT[usualUnit(model, price)];
  if (made !== undefined) return [made];
  return [
    ...(price?.imageInput === undefined ? [] : (["images"] as const)),
    ...(price?.audioInput === undefined ? [] : (["audio"] as const)),
    ...(price?.audioOutput === undefined ? [] : (["speech"] as const)),
    ...(price?.reasoning === undefined ? [] : (["reasoning"] as const)),
  ];
}
