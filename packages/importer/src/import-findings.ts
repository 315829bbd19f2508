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
  /** Rows that are not imported, with the reason. */
  readonly leftOut: readonly Finding[];
  /** Rows that are imported with a change, with the change. */
  readonly changed: readonly Finding[];
  /** Number of rows that the old server has marked as deleted. */
  deletedOf(noun: ImportedNoun): number;
  leaveOut(noun: ImportedNoun, name: string, reason: string): void;
  change(noun: ImportedNoun, name: string, what: string): void;
  skipDeleted(noun: ImportedNoun): void;
}

/** Creates empty findings. Unprintable characters become spaces. */
export function createImportFindings(): ImportFindings {
  const leftOut: Finding[] = [];
  const changed: Finding[] = [];
  const deleted = new Map<ImportedNoun, number>();
  const tidy = (text: string) => text.replaceAll(UNPRINTABLE, " ").trim();
  const findingOf = (noun: ImportedNoun, name: string, text: string) => ({
    noun,
    name: tidy(name) || "(without a name)",
    text: tidy(text),
  });
  return {
    leftOut,
    changed,
    deletedOf: (noun) => deleted.get(noun) ?? 0,
    leaveOut: (noun, name, text) => void leftOut.push(findingOf(noun, name, text)),
    change: (noun, name, text) => void changed.push(findingOf(noun, name, text)),
    skipDeleted: (noun) => void deleted.set(noun, (deleted.get(noun) ?? 0) + 1),
  };
}
