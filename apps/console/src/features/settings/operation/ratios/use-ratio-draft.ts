import { PRICE_KEYS, type PriceKey } from "@one-api/contract/prices/ratios";
import { useEffect, useState } from "react";
import { watchUnsaved } from "../../../../lib/state/unsaved-work.ts";
import type { SavedOptions } from "../../options/option-draft.ts";
import { changesBetween, entriesOf, type RatioTexts, savedTexts } from "./ratio-model.ts";

/** Number of entries that differ; 1 for a text that differs in its format only, or that is invalid. */
function countChanges(key: PriceKey, before: string, after: string): number {
  const [old, present] = [entriesOf(key, before), entriesOf(key, after)];
  return old === undefined || present === undefined ? 1 : changesBetween(old, present).length || 1;
}

/** The texts while they are edited, which of them changed, and in how many entries. */
export function useRatioDraft(saved: SavedOptions) {
  const before = savedTexts(saved);
  const [draft, setDraft] = useState<Partial<RatioTexts>>({});
  const texts: RatioTexts = { ...before, ...draft };
  const changed = PRICE_KEYS.filter((key) => texts[key].trim() !== before[key].trim());
  useEffect(() => watchUnsaved(() => changed.length > 0));
  return {
    before,
    texts,
    changed,
    changes: changed.reduce((count, key) => count + countChanges(key, before[key], texts[key]), 0),
    change: (key: PriceKey, text: string) => setDraft((typed) => ({ ...typed, [key]: text })),
    discard: () => setDraft({}),
  };
}
