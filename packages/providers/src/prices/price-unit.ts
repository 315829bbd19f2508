import { type PriceUnit, TOKENS_OF_UNIT } from "@one-api/contract/prices/price-unit";
import type { Endpoint } from "../provider.ts";
import { type Decimal, decimalOf, divideDecimals } from "./decimal.ts";
import type { ModelPrice } from "./price-to-ratios.ts";

export function pricePerMillion(unit: PriceUnit, dollars: Decimal, amount: Decimal = "1"): Decimal {
  const { tokens, per } = TOKENS_OF_UNIT[unit];
  return divideDecimals(decimalOf(Number(dollars) * (1_000_000 / tokens) * per), amount);
}

const BY_TOKENS = /^(?:openai\/)?(?:gpt-[\w.-]*image|chatgpt-image|gpt-[\w.-]*-tts|gpt-4o[\w-]*-transcribe)|^gemini-/i;

/** Returns the price unit of a request: by the endpoint's output, unless the model is priced by tokens. */
export function priceUnit(endpoint: Endpoint, model: string, listed: ModelPrice | undefined): PriceUnit {
  if (listed?.unit === "request") return "request";
  // Most reranking models are priced by tokens.
  if (endpoint === "rerank") return listed?.unit === "search" ? "search" : "token";
  const made = UNIT_OF_ENDPOINT[endpoint];
  if (made === undefined) return "token";
  if (listed?.unit !== undefined) return made;
  return listed !== undefined || BY_TOKENS.test(model) ? "token" : made;
}

const UNIT_OF_ENDPOINT: Readonly<Partial<Record<Endpoint, PriceUnit>>> = {
  "image-generations": "image",
  "image-edits": "image",
  "image-variations": "image",
  speech: "character",
  transcriptions: "second",
  translations: "second",
};

/** Returns the unit in which a price list shows a model without a known endpoint. */
export function usualUnit(model: string, listed: ModelPrice | undefined): PriceUnit {
  if (listed?.unit !== undefined) return listed.unit;
  if (listed !== undefined || BY_TOKENS.test(model)) return "token";
  return NAMES.find(([name]) => name.test(model))?.[1] ?? "token";
}

const NAMES: readonly (readonly [RegExp, PriceUnit])[] = [
  [
    /dall-e|flux|stable-diffusion|cogview|wanx|wan2[\w.-]*-t2i|imagen|seedream|kolors|recraft|ideogram|[-/]image\b|step-1x|^image-0|^irag|^stability\.|lucid-origin/i,
    "image",
  ],
  [/(?:^|[-/])tts|cosyvoice/i, "character"],
  [/whisper|transcri|sensevoice|paraformer|(?:^|[-/])asr/i, "second"],
];
