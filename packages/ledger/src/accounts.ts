/** An account, as `kind` of a row in `shares`. The account of a budget is one of its windows. */
export const ACCOUNT_KIND = { user: 1, token: 2, budget: 3 } as const;

export type AccountKind = (typeof ACCOUNT_KIND)[keyof typeof ACCOUNT_KIND];

export interface Account {
  readonly kind: AccountKind;
  readonly id: number;
}

/** On SQLite one process owns the database: it is always this owner. */
export const SQLITE_OWNER = 1;

/** Beyond every id. */
const KIND_STEP = 2 ** 48;

/** One number for an account, for use as a key of maps. */
export function accountKey({ kind, id }: Account): number {
  return kind * KIND_STEP + id;
}

/** The order in which rows of accounts are locked. */
export function byAccount(left: Account, right: Account): number {
  return left.kind - right.kind || left.id - right.id;
}
