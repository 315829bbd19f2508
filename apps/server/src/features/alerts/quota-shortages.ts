/** Accounts recorded between two checks. Their ids go into one query. */
const MAX_KEPT = 500;

export interface Shortages {
  readonly userIds: readonly number[];
  readonly tokenIds: readonly number[];
}

/**
 * Refused callers since the last check, in memory: a caller that continues is refused again.
 * A balance seldom reaches zero; it falls below the upper bound of a request.
 */
export interface QuotaShortages {
  note(caller: { readonly userId: number; readonly tokenId: number }): void;
  take(): Shortages;
}

export function createQuotaShortages(): QuotaShortages {
  const users = new Set<number>();
  const tokens = new Set<number>();
  const keep = (ids: Set<number>, id: number) => {
    if (ids.size < MAX_KEPT) ids.add(id);
  };
  return {
    note({ userId, tokenId }) {
      keep(users, userId);
      keep(tokens, tokenId);
    },
    take() {
      const taken = { userIds: [...users], tokenIds: [...tokens] };
      users.clear();
      tokens.clear();
      return taken;
    },
  };
}
