import { MAX_CHANNEL_BATCH } from "@one-api/contract/channels/channel-constants";
import type { ChannelConfig } from "@one-api/contract/channels/channel-json";
import { fitsKeyForm, type KeyForm, keyHint, splitKey, splitKeys } from "@one-api/contract/channels/channel-key";
import { channelTypeInfo } from "@one-api/contract/channels/channel-types";
import { isHeaderText } from "@one-api/contract/texts";
import type { ErrorCode, ErrorValues } from "@one-api/contract/error-codes";
import { AppError } from "../../core/app-error.ts";

/** Keys in a text, one for each non-empty line. Throws refusals for a wrong form or too many keys. */
export function readKeys(type: number, text: string): readonly string[] {
  const form = channelTypeInfo(type)?.key;
  const keys = splitKeys(form, text);
  if (keys.length > MAX_CHANNEL_BATCH) {
    throw wrong(
      "channel-key-lines",
      `key has ${keys.length} lines. Create at most ${MAX_CHANNEL_BATCH} channels at once.`,
      { lines: keys.length, limit: MAX_CHANNEL_BATCH },
    );
  }
  const line = keys.findIndex((key) => !fitsKeyForm(form, key));
  if (form !== undefined && line >= 0) {
    const hint = keyHint(form);
    throw keys.length === 1
      ? wrong("channel-key-form", `key must have the form ${hint}.`, { form: hint })
      : wrong("channel-key-line-form", `Line ${line + 1} of key must have the form ${hint}.`, {
          line: line + 1,
          form: hint,
        });
  }
  keys.forEach((key, index) => checkCharacters(form, key, index + 1));
  return keys;
}

/** Checks characters of a key that goes into a header. Documents are parsed, so they may contain any. */
function checkCharacters(form: KeyForm | undefined, key: string, line: number): void {
  if (/^bearer\s/i.test(key)) {
    const message = `Line ${line} of key begins with "Bearer". Leave that out: the gateway writes it itself.`;
    throw wrong("channel-key-bearer", message, { line });
  }
  const hasDocument = form?.parts.some((part) => part.isDocument === true) ?? false;
  if (hasDocument || isHeaderText(key)) return;
  const message = `Line ${line} of key has a character that no key has, such as a typographic quote or a control character. Copy the key again.`;
  throw wrong("channel-key-characters", message, { line });
}

/** The single key of an edit. Throws `channel-key-one-line` for several, and the refusals of `readKeys`. */
export function readOneKey(type: number, text: string): string {
  const [key = "", ...more] = readKeys(type, text);
  if (more.length > 0)
    throw wrong(
      "channel-key-one-line",
      "key must be one line: a stored channel has one key. Create new channels for more keys.",
    );
  return key;
}

/** Parts of a key that the config contains too; empty for types with one secret and for keys of another form. */
export function configOfKey(type: number, key: string): ChannelConfig {
  const form = channelTypeInfo(type)?.key;
  const values = form === undefined ? undefined : splitKey(form, key);
  if (form === undefined || values === undefined) return {};
  return Object.fromEntries(
    form.parts.flatMap(({ config }, index) => (config === undefined ? [] : [[config, values[index]]])),
  );
}

function wrong(code: ErrorCode, message: string, values: ErrorValues = {}): AppError {
  return new AppError(code, message, { field: "key", values });
}
