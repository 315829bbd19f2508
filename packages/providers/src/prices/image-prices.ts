export interface PictureKind {
  readonly size: string;
  readonly quality: string;
}

/**
 * Returns a picture's price as a multiple of the model's price; 1 for models with one price.
 *
 * | model | picture at the model's price |
 * |---|---|
 * | DALL·E 2 | the smallest |
 * | DALL·E 3 | a square |
 * | Lucid Origin at Cloudflare | 1,024 pixels a side |
 *
 * Sources: https://platform.openai.com/docs/pricing, https://developers.cloudflare.com/workers-ai/platform/pricing
 */
export function imageFactor(model: string, { size, quality }: PictureKind): number {
  const name = model.replace(/^openai\//, "");
  if (name === "dall-e-2") return size === "256x256" ? 1 : size === "512x512" ? 1.125 : 1.25;
  if (LUCID_ORIGIN.test(name)) return lucidOriginPrice(size) / lucidOriginPrice("1024x1024");
  if (name !== "dall-e-3") return 1;
  const isSquare = size === "" || size === "1024x1024";
  if (quality !== "hd") return isSquare ? 1 : 2;
  return isSquare ? 2 : 3;
}

const LUCID_ORIGIN = /(?:^|\/)lucid-origin$/;
/** Dollars per started tile of 512 pixels a side, and for its steps, at most 40. */
const TILE = { side: 512, price: 0.006996 };
const STEPS_PRICE = 40 * 0.000132;
const LUCID_ORIGIN_SIZE = "1120x1120";

function lucidOriginPrice(size: string): number {
  const [width = 0, height = 0] = (sidesOf(size) ?? sidesOf(LUCID_ORIGIN_SIZE) ?? []).map((side) =>
    Math.ceil(side / TILE.side),
  );
  return width * height * TILE.price + STEPS_PRICE;
}

/** Tokens of a square picture of 1,024 pixels; newer models take more. Source: https://platform.openai.com/docs/guides/image-generation */
const TOKENS_OF_QUALITY: ReadonlyMap<string, number> = new Map([
  ["low", 272],
  ["medium", 1_056],
  ["high", 4_160],
]);
const NEWER_FACTOR = 1.7;
const FIRST_MODELS = /^(?:openai\/)?gpt-image-1/;
/** Factors of qualities above `high`, for which no numbers are published. */
const ABOVE_HIGH: ReadonlyMap<string, number> = new Map([
  ["xhigh", 2],
  ["max", 4],
]);
const PIXELS = 1_024 * 1_024;
const TOKENS_OF_PARTIAL_PICTURE = 100;

/** Upper bound of a picture's tokens with a model priced by tokens; open fields count at their maximum. */
export function mostImageTokens(model: string, { size, quality }: PictureKind, partialPictures: number): number {
  const fixed = TOKENS_OF_MODEL.find(([name]) => name.test(model))?.[1];
  if (fixed !== undefined) return fixed;
  const isFirst = FIRST_MODELS.test(model);
  const tokens = TOKENS_OF_QUALITY.get(quality) ?? 4_160 * (ABOVE_HIGH.get(quality) ?? 1);
  const area = areaOf(size) ?? (isFirst ? 1.5 : 2);
  return (
    Math.ceil(tokens * Math.max(1, area) * (isFirst ? 1 : NEWER_FACTOR)) + partialPictures * TOKENS_OF_PARTIAL_PICTURE
  );
}

/** Models with a fixed number of tokens per picture, at the largest size. Source: https://ai.google.dev/gemini-api/docs/pricing */
const TOKENS_OF_MODEL: readonly (readonly [RegExp, number])[] = [
  [/^(?:google\/)?gemini-2/, 1_290],
  [/^(?:google\/)?gemini-/, 2_520],
];

/** In squares of 1,024 pixels. */
function areaOf(size: string): number | undefined {
  const sides = sidesOf(size);
  return sides && (sides[0] * sides[1]) / PIXELS;
}

function sidesOf(size: string): readonly [number, number] | undefined {
  const [, width, height] = /^(\d{1,5})x(\d{1,5})$/.exec(size) ?? [];
  return width === undefined ? undefined : [Number(width), Number(height)];
}
