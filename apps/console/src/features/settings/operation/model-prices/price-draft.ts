import {
  type DatedPrice,
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

export function draftOf(price: DatedPrice): PriceDraft {
  const unit: UnitPrice | undefined = UNIT_PRICES.find((name) => price[name] !== undefined);
  return {
    id: nextId(),
    from: price.from ?? "",
    by: unit ?? "tokens",
    parts: textsOf(price),
    amount: unit === undefined ? "" : String(price[unit]),
    steps: (price.steps ?? []).map((step) => ({ id: nextId(), above: String(step.above), parts: textsOf(step) })),
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

function priceOf({ from, by, parts, amount, steps }: PriceDraft): unknown {
  const start = from.trim() === "" ? {} : { from: from.trim() };
  if (by !== "tokens") return { ...start, [by]: numberOf(amount) ?? Number.NaN };
  const longer = steps.map((step) => ({ above: numberOf(step.above), ...partsOf(step.parts) }));
  return { ...start, ...partsOf(parts), ...(longer.length > 0 && { steps: longer }) };
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
