import type { JsonRecord } from "../shared/json-fields.ts";
import type { Usage } from "../usage.ts";
import { readDataUrl } from "./message-part.ts";

export interface PictureRequest {
  readonly model: string;
  readonly prompt: string;
  /** Undefined: the provider's default, which is one. */
  readonly count: number | undefined;
  readonly size: string;
  readonly quality: string;
  /** The answer must contain base64; else URLs suffice. */
  readonly wantsLetters: boolean;
  readonly sources: readonly string[];
  /** All other fields, by the caller's names. A provider drops those that it does not know. */
  readonly options: JsonRecord;
}

export interface PictureAnswer {
  readonly pictures: readonly Picture[];
  readonly created?: number | undefined;
  readonly usage?: Usage | undefined;
}

export interface Picture {
  readonly url: string;
  readonly letters: string;
  /** The prompt as the provider changed it; empty if not reported. */
  readonly revisedPrompt: string;
}

export function pictureAt(address: string, revisedPrompt = ""): Picture {
  const inline = readPictureData(address);
  return inline === undefined
    ? { url: address, letters: "", revisedPrompt }
    : { url: "", letters: inline.data, revisedPrompt };
}

/** Splits a base64 `data:` URL of a picture; undefined for any other address. */
export function readPictureData(address: string): ReturnType<typeof readDataUrl> {
  const inline = readDataUrl(address);
  return inline?.mediaType.startsWith("image/") === true ? inline : undefined;
}

/** Width and height in pixels; undefined for other texts. */
export function pixelsOf(size: string): { readonly width: number; readonly height: number } | undefined {
  const [, width, height] = /^(\d{1,5})[x*×](\d{1,5})$/.exec(size) ?? [];
  return width === undefined || height === undefined || Number(width) * Number(height) === 0
    ? undefined
    : { width: Number(width), height: Number(height) };
}

/** `ratios`, such as `16:9`, must not be empty. */
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

/** Splits the options into those that the provider knows by the same name, and the names of the rest. */
export function takeOptions(
  options: JsonRecord,
  known: readonly string[],
): { readonly taken: JsonRecord; readonly dropped: readonly string[] } {
  const entries = Object.entries(options);
  return {
    taken: Object.fromEntries(entries.filter(([name]) => known.includes(name))),
    dropped: entries.map(([name]) => name).filter((name) => !known.includes(name)),
  };
}
