import type { JsonRecord } from "../shared/json-fields.ts";
import type { Usage } from "../usage.ts";

/** A request for pictures as every format can say it. */
export interface PictureRequest {
  readonly model: string;
  readonly prompt: string;
  /** How many; undefined leaves it to the provider, which makes one. */
  readonly count: number | undefined;
  /** In the caller's words, such as `1024x1536` or `2K`; empty where it is left open. */
  readonly size: string;
  readonly quality: string;
  /** The pictures are wanted in the answer; else addresses of them will do. */
  readonly wantsLetters: boolean;
  /** Pictures that are to be changed, by their addresses or as data URLs. */
  readonly sources: readonly string[];
  /** Everything else, by the caller's names: what the provider does not know by the same name is dropped. */
  readonly wishes: JsonRecord;
}

/** The pictures that were made. */
export interface PictureAnswer {
  readonly pictures: readonly Picture[];
  /** Unix seconds; undefined where the provider does not say it. */
  readonly created?: number | undefined;
  /** Tokens that were reported; undefined without. */
  readonly usage?: Usage | undefined;
}

/** One picture: its address or itself, as base64; what it is not is empty. */
export interface Picture {
  readonly url: string;
  readonly letters: string;
  /** What the provider made of the prompt; empty where it does not say it. */
  readonly revisedPrompt: string;
}

const DATA_URL = /^data:(image\/[\w.+-]+);base64,(.*)$/s;

/** A picture by what a provider names it by: an address, or a data URL. */
export function pictureAt(address: string, revisedPrompt = ""): Picture {
  const [, , letters] = DATA_URL.exec(address) ?? [];
  return letters === undefined ? { url: address, letters: "", revisedPrompt } : { url: "", letters, revisedPrompt };
}

/** The parts of a data URL; undefined for an address. */
export function readDataUrl(address: string): { readonly type: string; readonly letters: string } | undefined {
  const [, type, letters] = DATA_URL.exec(address) ?? [];
  return type === undefined || letters === undefined ? undefined : { type, letters };
}

/** Width and height in pixels; undefined where the size is no such text. */
export function pixelsOf(size: string): { readonly width: number; readonly height: number } | undefined {
  const [, width, height] = /^(\d{1,5})[x*×](\d{1,5})$/.exec(size) ?? [];
  return width === undefined || height === undefined || Number(width) * Number(height) === 0
    ? undefined
    : { width: Number(width), height: Number(height) };
}

/** The ratio, such as `16:9`, that a picture's shape comes nearest to. There must be one. */
export function nearestRatio(
  { width, height }: { readonly width: number; readonly height: number },
  ratios: readonly string[],
): string {
  const distance = (ratio: string) => {
    const [across = 1, down = 1] = ratio.split(":").map(Number);
    return Math.abs(Math.log((width * down) / (height * across)));
  };
  return ratios.reduce((best, ratio) => (distance(ratio) < distance(best) ? ratio : best));
}

/** What of the wishes a provider knows by the same names, and the names of the others. */
export function takeWishes(
  wishes: JsonRecord,
  known: readonly string[],
): { readonly taken: JsonRecord; readonly dropped: readonly string[] } {
  const entries = Object.entries(wishes);
  return {
    taken: Object.fromEntries(entries.filter(([name]) => known.includes(name))),
    dropped: entries.map(([name]) => name).filter((name) => !known.includes(name)),
  };
}
