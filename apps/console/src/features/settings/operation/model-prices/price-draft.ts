import {
  type DatedPrice,
  PRICE_TIERS,
  type PriceTier,
  type PricesProblem,
  readPrices,
  TOKEN_PARTS,
  type TokenPart,
  UNIT_PRICES,
  type UnitPrice,
} from "@one-api/contract/prices/model-prices";

/** Unit of a price: tokens, or one of the others. */
export const PRICED_BY = ["tokens", ...UNIT_PRICES] as const;

type PricedBy = (typeof PRICED_BY)[number];

type PartTexts = Readonly<Record<TokenPart, string>>;

type TierTexts = Readonly<Record<PriceTier, string>>;

export interface StepDraft {
  readonly id: number;
  readonly above: string;
  readonly parts: PartTexts;
}

export interface PriceDraft {
  readonly id: number;
  readonly from: string;
  readonly by: PricedBy;
  readonly parts: PartTexts;
  readonly amount: string;
  readonly steps: readonly StepDraft[];
  readonly tiers: TierTexts;
}

let lastId = 0;

function nextId(): number {
  lastId += 1;
  return lastId;
}

function textsOf(prices: { readonly [Part in TokenPart]?: number | undefined }): PartTexts {
  const text = (part: TokenPart) => (prices[part] === undefined ? "" : String(prices[part]));
  return {
    input: text("input"),
    output: text("output"),
    cached_input: text("cached_input"),
    cache_write: text("cache_write"),
    cache_write_1h: text("cache_write_1h"),
    audio_input: text("audio_input"),
    cached_audio: text("cached_audio"),
    audio_output: text("audio_output"),
    image_input: text("image_input"),
    image_output: text("image_output"),
    reasoning: text("reasoning"),
  };
}

function tierTextsOf(tiers: DatedPrice["tiers"] = {}): TierTexts {
  const text = (tier: PriceTier) => (tiers[tier] === undefined ? "" : String(tiers[tier]));
  return { flex: text("flex"), priority: text("priority"), ultrafast: text("ultrafast") };
}

export function draftOf(price: DatedPrice): PriceDraft {
  const unit: UnitPrice | undefined = UNIT_PRICES.find((name) => price[name] !== undefined);
  return {
    id: nextId(),
    from: price.from ?? "",
    by: unit ?? "tokens",
    parts: textsOf(price),
    amount: unit === undefined ? "" : String(price[unit]),
    steps: (price.steps ?? []).map((step) => ({ id: nextId(), above: String(step.above), parts: textsOf(step) })),
    tiers: tierTextsOf(price.tiers),
  };
}

export function newStep(): StepDraft {
  return { id: nextId(), above: "", parts: textsOf({}) };
}

/** Not a number for a text that is none, so that the schema refuses it. */
function numberOf(text: string): number | undefined {
  return text.trim() === "" ? undefined : Number(text);
}

function partsOf(texts: PartTexts): Partial<Record<TokenPart, number>> {
  const parts: Partial<Record<TokenPart, number>> = {};
  for (const part of TOKEN_PARTS) {
    const dollars = numberOf(texts[part]);
    if (dollars !== undefined) parts[part] = dollars;
  }
  return parts;
}

function factorsOf(texts: TierTexts): Partial<Record<PriceTier, number>> {
  const factors: Partial<Record<PriceTier, number>> = {};
  for (const tier of PRICE_TIERS) {
    const factor = numberOf(texts[tier]);
    if (factor !== undefined) factors[tier] = factor;
  }
  return factors;
}

function priceOf({ from, by, parts, amount, steps, tiers }: PriceDraft): unknown {
  const start = from.trim() === "" ? {} : { from: from.trim() };
  if (by !== "tokens") return { ...start, [by]: numberOf(amount) ?? Number.NaN };
  const longer = steps.map((step) => ({ above: numberOf(step.above), ...partsOf(step.parts) }));
  const factors = factorsOf(tiers);
  return {
    ...start,
    ...partsOf(parts),
    ...(longer.length > 0 && { steps: longer }),
    ...(Object.keys(factors).length > 0 && { tiers: factors }),
  };
}

type ReadDrafts =
  | { readonly prices: readonly DatedPrice[] }
  | { readonly prices: undefined; readonly problem: PricesProblem };

/** The prices that were typed, or the first problem. No drafts are no prices. */
export function readDrafts(drafts: readonly PriceDraft[]): ReadDrafts {
  if (drafts.length === 0) return { prices: [] };
  const read = readPrices({ price: drafts.map(priceOf) });
  if (read.prices !== undefined) return { prices: read.prices.get("price") ?? [] };
  const { field, reason } = read.problem;
  return { prices: undefined, problem: { field: field.replace(/^price\.?/, ""), reason } };
}
