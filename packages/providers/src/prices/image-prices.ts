/** The size and quality of pictures as a request names them; empty where it leaves them open. */
export interface PictureKind {
  readonly size: string;
  readonly quality: string;
}

/**
 * What a picture costs as a multiple of the model's price: of DALL·E 2 that is its smallest, of DALL·E 3 a square one, of Lucid Origin at Cloudflare
 * one of 1,024 pixels a side. All others have one price. Sources: https://platform.openai.com/docs/pricing,
 * https://developers.cloudflare.com/workers-ai/platform/pricing
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
/** It is paid for by tiles of 512 pixels a side that have begun, and by steps, of which it takes 40 at the most; in dollars. */
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
/** Qualities above `high`, of which no numbers are published. */
const ABOVE_HIGH: ReadonlyMap<string, number> = new Map([
  ["xhigh", 2],
  ["max", 4],
]);
const PIXELS = 1_024 * 1_024;
const TOKENS_OF_PARTIAL_PICTURE = 100;

/** The most tokens that one picture can cost with a model that is priced by tokens; what the request leaves open is taken at its most. */
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

/** Models whose pictures have a number of tokens by themselves, at their largest. Source: https://ai.google.dev/gemini-api/docs/pricing */
const TOKENS_OF_MODEL: readonly (readonly [RegExp, number])[] = [
  [/^(?:google\/)?gemini-2/, 1_290],
  [/^(?:google\/)?gemini-/, 2_520],
];

/** In squares of 1,024 pixels. */
function areaOf(size: string): number | undefined {
  const sides = sidesOf(size);
  return sides && (sides[0] * sides[1]) / PIXELS;
}

/** Width and height in pixels. */
function sidesOf(size: string): readonly [number, number] | undefined {
  const [, width, height] = /^(\d{1,5})x(\d{1,5})$/.exec(size) ?? [];
  return width === undefined ? undefined : [Number(width), Number(height)];
}
