import type { FieldEdits } from "../../../format.ts";
import { isSeal } from "../../../neutral/sealed-thoughts.ts";
import { isRecord, type JsonRecord, recordOf, textOf } from "../../../shared/json-fields.ts";
import { fieldOf, listField } from "../fields.ts";
import { NO_SIGNATURE, wantsSignatures } from "../write-contents.ts";

/** Removes the thoughts of other providers. Calls receive Google's replacement of a signature. */
export function unseal(body: JsonRecord, model: string): FieldEdits {
  const kept = listField(body, "contents").flatMap((content) => withoutSeals(content, model));
  return new Map([["contents", JSON.stringify(kept)]]);
}

function withoutSeals(content: unknown, model: string): readonly unknown[] {
  const parts = listField(recordOf(content), "parts");
  if (!isRecord(content) || !parts.some(isSealed)) return [content];
  const kept = parts.flatMap((part) => withoutSeal(recordOf(part), model));
  return kept.length === 0 ? [] : [{ ...content, parts: kept }];
}

function isSealed(part: unknown): boolean {
  return isSeal(textOf(fieldOf(recordOf(part), "thoughtSignature")));
}

function withoutSeal(part: JsonRecord, model: string): readonly JsonRecord[] {
  const signature = textOf(fieldOf(part, "thoughtSignature"));
  if (part.thought === true && (signature === "" || isSeal(signature))) return [];
  if (!isSeal(signature)) return [part];
  const { thoughtSignature: _camel, thought_signature: _snake, ...rest } = part;
  if (fieldOf(rest, "functionCall") !== undefined && wantsSignatures(model)) {
    return [{ ...rest, thoughtSignature: NO_SIGNATURE }];
  }
  return rest.text === "" ? [] : [rest];
}
