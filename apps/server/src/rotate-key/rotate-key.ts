import type { OpenDatabase } from "@one-api/database/open-database";
import { SecretError, type Secrets } from "../core/secrets.ts";
import { inTransaction } from "../core/transaction.ts";
import {
  listSealedRows,
  replaceSealed,
  SEALED_COLUMNS,
  type SealedColumn,
  type SealedRow,
} from "./sealed-rows.repository.ts";

export interface Rotation {
  readonly rotated: number;
  readonly unreadable: readonly string[];
}

/**
 * Encrypts all secrets with the current master key, a page of rows in a transaction. It may be stopped and run again.
 * Rows that neither key opens stay.
 */
export async function rotateSecrets(
  database: OpenDatabase,
  secrets: Secrets,
  onPage: (rotated: number) => void,
): Promise<Rotation> {
  const unreadable: string[] = [];
  let rotated = 0;
  for (const column of SEALED_COLUMNS) {
    for await (const rows of listSealedRows(database.db, column)) {
      rotated += await rotatePage({ database, secrets, column, rows, unreadable });
      onPage(rotated);
    }
  }
  return { rotated, unreadable };
}

interface Page {
  readonly database: OpenDatabase;
  readonly secrets: Secrets;
  readonly column: SealedColumn;
  readonly rows: readonly SealedRow[];
  readonly unreadable: string[];
}

async function rotatePage({ database, secrets, column, rows, unreadable }: Page): Promise<number> {
  const changes = rows.flatMap((row) => {
    try {
      const anew = secrets.sealAnew(column.purpose, row.sealed, row.place);
      return anew === undefined ? [] : [{ row, anew }];
    } catch (error) {
      if (!(error instanceof SecretError)) throw error;
      unreadable.push(error.message);
      return [];
    }
  });
  if (changes.length === 0) return 0;
  return inTransaction(database, async (transaction) => {
    let replaced = 0;
    for (const { row, anew } of changes) if (await replaceSealed(transaction, column, row, anew)) replaced += 1;
    return replaced;
  });
}

export interface KeyUse {
  readonly table: string;
  readonly rows: number;
  readonly withPrevious: number;
  readonly unreadable: readonly string[];
}

/** Counts for each table the rows that still need the previous key. Changes nothing. */
export async function countKeyUses({ db }: OpenDatabase, secrets: Secrets): Promise<readonly KeyUse[]> {
  const uses = new Map<string, { rows: number; withPrevious: number; unreadable: string[] }>();
  for (const column of SEALED_COLUMNS) {
    const use = uses.get(column.table) ?? { rows: 0, withPrevious: 0, unreadable: [] };
    uses.set(column.table, use);
    for await (const page of listSealedRows(db, column)) {
      for (const { sealed, place } of page) {
        const key = secrets.keyOf(column.purpose, sealed);
        use.rows += 1;
        if (key === "previous") use.withPrevious += 1;
        if (key === undefined) use.unreadable.push(place);
      }
    }
  }
  return [...uses].map(([table, use]) => ({ table, ...use }));
}
