import type { FieldEdits } from "../../format.ts";
import { isSeal } from "../../neutral/sealed-thoughts.ts";
import { type JsonRecord, listOf, recordOf, textOf } from "../../shared/json-fields.ts";

export function unseal({ input }: JsonRecord): FieldEdits {
  if (!Array.isArray(input)) return new Map();
  const kept = listOf(input).filter((item) => {
    const { type, encrypted_content: encrypted } = recordOf(item);
    return type !== "reasoning" || !isSeal(textOf(encrypted));
  });
  return new Map([["input", JSON.stringify(kept)]]);
}
