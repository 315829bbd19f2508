import type { Redemption, searchRedemptions as searchRedemptionsCall } from "@one-api/contract/redemption";
import type { z } from "zod";
import { AppError } from "../../core/app-error.ts";
import type { CallContext } from "../../core/call-context.ts";
import { type Listed, orderedPageOf } from "../../core/lists/list-page.ts";
import { placeOf, type Secrets } from "../../core/secrets.ts";
import {
  type BatchRow,
  countRedemptions,
  findRedemption,
  listBatches,
  listRedemptionRows,
  type RedemptionRow,
} from "./redemption.repository.ts";

/** One page of the codes that match the keyword; all of them without `size`. */
export async function searchRedemptions(
  context: CallContext,
  query: z.output<typeof searchRedemptionsCall.query>,
): Promise<Listed<Redemption>> {
  const { db } = context.database;
  const rows = await listRedemptionRows(db, query, orderedPageOf(query));
  const batches = await listBatches(db, rows);
  return {
    rows: rows.map((row) => presentRedemption(row, batches, context.secrets)),
    total: await countRedemptions(db, query),
  };
}

/** Throws `redemption-not-found`. */
export async function getRedemption(context: CallContext, id: number): Promise<Redemption> {
  const row = await findRedemption(context.database.db, id);
  if (row === undefined) throw redemptionNotFound();
  return presentRedemption(row, await listBatches(context.database.db, [row]), context.secrets);
}

export function redemptionNotFound(): AppError {
  return new AppError("redemption-not-found", "There is no such redemption code, or not any more.");
}

function presentRedemption(row: RedemptionRow, batches: readonly BatchRow[], secrets: Secrets): Redemption {
  const { key_cipher, redeemed_by, ...rest } = row;
  const batch = batches.find(({ name, created_time }) => name === rest.name && created_time === rest.created_time);
  return {
    ...rest,
    key: secrets.open("redemption-code", key_cipher, placeOf("redemptions", rest.id, rest.name)),
    redeemed_by: redeemed_by ?? "",
    batch_count: batch?.count ?? 1,
    batch_used: batch?.used ?? 0,
  };
}
