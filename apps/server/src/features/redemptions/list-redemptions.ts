import type { Redemption, searchRedemptions as searchRedemptionsCall } from "@one-api/contract/redemption";
import type { z } from "zod";
import { AppError } from "../../core/app-error.ts";
import type { CallContext } from "../../core/call-context.ts";
import type { Secrets } from "../../core/secrets.ts";
import { countRedemptions, findRedemption, listRedemptionRows, type RedemptionRow } from "./redemption.repository.ts";

/** Codes, and how many there are in all. */
export interface RedemptionList {
  readonly redemptions: Redemption[];
  readonly total: number;
}

/** Search results end here for clients that ask for no page: more would be a list to page through. */
const MAX_SEARCH_RESULTS = 1_000;

/** One page of the codes that the keyword finds, of all with an empty one; without `size` all of them. */
export async function searchRedemptions(
  context: CallContext,
  query: z.output<typeof searchRedemptionsCall.query>,
): Promise<RedemptionList> {
  const { db } = context.database;
  const { order, direction, size, p: page, ...filter } = query;
  const stretch = size === undefined ? { limit: MAX_SEARCH_RESULTS, offset: 0 } : { limit: size, offset: page * size };
  const rows = await listRedemptionRows(db, filter, { order, direction, ...stretch });
  return {
    redemptions: rows.map((row) => presentRedemption(row, context.secrets)),
    total: await countRedemptions(db, filter),
  };
}

/** One code. Throws `redemption-not-found`. */
export async function getRedemption(context: CallContext, id: number): Promise<Redemption> {
  const row = await findRedemption(context.database.db, id);
  if (row === undefined) throw redemptionNotFound();
  return presentRedemption(row, context.secrets);
}

/** The refusal of a code that is not there. */
export function redemptionNotFound(): AppError {
  return new AppError("redemption-not-found", "There is no such redemption code, or not any more.");
}

/** The code as administrators see it, in clear. */
function presentRedemption(row: RedemptionRow, secrets: Secrets): Redemption {
  const { key_cipher, redeemed_by, ...rest } = row;
  return { ...rest, key: secrets.open("redemption-code", key_cipher), redeemed_by: redeemed_by ?? "" };
}
