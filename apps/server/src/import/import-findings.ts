import { UNPRINTABLE } from "../features/users/index.ts";

/** What an import brings over. */
export const IMPORTED_NOUNS = ["user", "token", "channel", "redemption code", "setting"] as const;

export type ImportedNoun = (typeof IMPORTED_NOUNS)[number];

/** What there is to say of one row of the old server. No secrets. */
interface Finding {
  readonly noun: ImportedNoun;
  readonly name: string;
  readonly text: string;
}

/** What an import found to say, row by row, in the order in which it came to it. */
export interface ImportFindings {
  /** Rows that stay behind, each with the reason. */
  readonly leftOut: readonly Finding[];
  /** Rows that come over other than they were, each with what is other. */
  readonly changed: readonly Finding[];
  /** How many rows were deleted on the old server and only hidden there. */
  deletedOf(noun: ImportedNoun): number;
  leaveOut(noun: ImportedNoun, name: string, reason: string): void;
  change(noun: ImportedNoun, name: string, what: string): void;
  skipDeleted(noun: ImportedNoun): void;
}

/** Nothing found so far. What is printed loses what would break a line. */
export function createImportFindings(): ImportFindings {
  const leftOut: Finding[] = [];
  const changed: Finding[] = [];
  const deleted = new Map<ImportedNoun, number>();
  const tidy = (text: string) => text.replaceAll(UNPRINTABLE, " ").trim();
  const find = (noun: ImportedNoun, name: string, text: string) => ({
    noun,
    name: tidy(name) || "(without a name)",
    text: tidy(text),
  });
  return {
    leftOut,
    changed,
    deletedOf: (noun) => deleted.get(noun) ?? 0,
    leaveOut: (noun, name, text) => void leftOut.push(find(noun, name, text)),
    change: (noun, name, text) => void changed.push(find(noun, name, text)),
    skipDeleted: (noun) => void deleted.set(noun, (deleted.get(noun) ?? 0) + 1),
  };
}
