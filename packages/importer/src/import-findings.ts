import { UNPRINTABLE } from "@one-api/contract/unprintable";

export const IMPORTED_NOUNS = ["user", "token", "channel", "redemption code", "setting"] as const;

export type ImportedNoun = (typeof IMPORTED_NOUNS)[number];

/** One line of the report about a row of the old server, without secrets. */
interface Finding {
  readonly noun: ImportedNoun;
  readonly name: string;
  readonly text: string;
}

/** Lines of the report, in the order of the rows. */
export interface ImportFindings {
  readonly leftOut: readonly Finding[];
  readonly changed: readonly Finding[];
  /** Number of rows that the old server has marked as deleted. */
  deletedOf(noun: ImportedNoun): number;
  leaveOut(noun: ImportedNoun, name: string, reason: string): void;
  change(noun: ImportedNoun, name: string, what: string): void;
  /** Adds a row to the line of all rows with the same change. `quota`: what the row is worth. */
  changeAlike(noun: ImportedNoun, id: number, what: string, quota?: number): void;
  skipDeleted(noun: ImportedNoun): void;
}

interface Alike {
  readonly noun: ImportedNoun;
  readonly what: string;
  readonly ids: number[];
  quota: number;
}

/** Creates empty findings. Unprintable characters become spaces. */
export function createImportFindings(): ImportFindings {
  const leftOut: Finding[] = [];
  const changed: (Finding | Alike)[] = [];
  const alike = new Map<string, Alike>();
  const deleted = new Map<ImportedNoun, number>();
  const tidy = (text: string) => text.replaceAll(UNPRINTABLE, " ").trim();
  const findingOf = (noun: ImportedNoun, name: string, text: string) => ({
    noun,
    name: tidy(name) || "(without a name)",
    text: tidy(text),
  });
  return {
    leftOut,
    get changed() {
      return changed.map((found) =>
        "ids" in found ? findingOf(found.noun, rangesOf(found.ids), textOf(found)) : found,
      );
    },
    deletedOf: (noun) => deleted.get(noun) ?? 0,
    leaveOut: (noun, name, text) => void leftOut.push(findingOf(noun, name, text)),
    change: (noun, name, text) => void changed.push(findingOf(noun, name, text)),
    changeAlike(noun, id, what, quota = 0) {
      const known = alike.get(`${noun} ${what}`);
      const line = known ?? { noun, what, ids: [], quota: 0 };
      line.ids.push(id);
      line.quota += quota;
      if (known !== undefined) return;
      alike.set(`${noun} ${what}`, line);
      changed.push(line);
    },
    skipDeleted: (noun) => void deleted.set(noun, (deleted.get(noun) ?? 0) + 1),
  };
}

function textOf({ what, ids, quota }: Alike): string {
  if (ids.length === 1) return quota > 0 ? `${what} (worth ${quota} quota)` : what;
  return `${ids.length} of them: ${what}${quota > 0 ? ` (worth ${quota} quota in all)` : ""}`;
}

/** Writes ids in short: `number 3, 5-9`. */
function rangesOf(ids: readonly number[]): string {
  const ranges: { first: number; last: number }[] = [];
  for (const id of ids.toSorted((left, right) => left - right)) {
    const range = ranges.at(-1);
    if (range !== undefined && range.last + 1 === id) range.last = id;
    else ranges.push({ first: id, last: id });
  }
  return `number ${ranges.map(({ first, last }) => (first === last ? String(first) : `${first}-${last}`)).join(", ")}`;
}
