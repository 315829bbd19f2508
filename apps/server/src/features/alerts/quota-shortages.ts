/** Accounts kept between two looks at the most: their ids go into one query. */
const MAX_KEPT = 500;

/** Whose calls were refused for lack of quota. */
export interface Shortages {
  readonly userIds: readonly number[];
  readonly tokenIds: readonly number[];
}

/**
 * Remembers whose calls were refused for lack of quota until the next look: a balance hardly ever comes to nothing, it comes to less than a
 * call may cost. In memory alone, since who still calls is refused again.
 */
export interface QuotaShortages {
  note(caller: { readonly userId: number; readonly tokenId: number }): void;
  /** Returns what was noted since the last time. */
  take(): Shortages;
}

/** Builds the memory of this process. */
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
