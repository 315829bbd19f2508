import { MAX_CHANNEL_BATCH } from "@one-api/contract/channel";
import { type ChannelType, channelTypeInfo } from "@one-api/contract/channel-types";
import { AppError } from "../../core/app-error.ts";

/** Types whose key has this many parts with a bar between them. */
const KEY_PARTS: ReadonlyMap<number, number> = new Map<ChannelType, number>([
  [15, 2],
  [18, 3],
  [23, 3],
]);

/** Its key ends in a JSON document, which may stand on several lines. */
const VERTEX_TYPE = 42 satisfies ChannelType;

/** The keys in a text, one per line that is not empty. Throws `invalid-input` when one has not the type's form or there are too many. */
export function readKeys(type: number, text: string): string[] {
  const keys = splitKeys(type, text);
  if (keys.length > MAX_CHANNEL_BATCH) {
    throw wrong(`key has ${keys.length} lines. Create at most ${MAX_CHANNEL_BATCH} channels at once.`);
  }
  const parts = KEY_PARTS.get(type);
  const isWrong = (key: string) =>
    parts !== undefined && key.split("|").filter((part) => part.trim() !== "").length !== parts;
  const line = keys.findIndex(isWrong);
  if (line >= 0) {
    const hint = channelTypeInfo(type)?.keyHint ?? "";
    throw wrong(
      keys.length === 1 ? `key must have the form ${hint}.` : `Line ${line + 1} of key must have the form ${hint}.`,
    );
  }
  return keys;
}

/** The one key in the text of an edit. Throws `invalid-input` for several, and as `readKeys`. */
export function readOneKey(type: number, text: string): string {
  const [key = "", ...more] = readKeys(type, text);
  if (more.length > 0)
    throw wrong("key must be one line: a stored channel has one key. Create new channels for more keys.");
  return key;
}

function splitKeys(type: number, text: string): string[] {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const isWhole = type === VERTEX_TYPE && lines.some((line) => line.split("|").length < 3);
  return isWhole ? [text.trim()] : lines;
}

function wrong(message: string): AppError {
  return new AppError("invalid-input", message, { field: "key" });
}
