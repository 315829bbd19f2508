import type { Payer, ReserveRefusal } from "./ledger.ts";

/** What an account has, as far as this process knows. */
interface Account {
  /** As of the last commit; means nothing until `known`. */
  remaining: number;
  /** Set aside for requests in flight. */
  held: number;
  known: boolean;
  /** Counts the changes that others made, so that what was read before them is not taken for true. */
  version: number;
}

/** One kind of accounts, by id. */
type Accounts = Map<number, Account>;

/** So many accounts of a kind are remembered, some 10 MB: whoever makes one token after the other would fill the memory with them. */
const MOST_ACCOUNTS = 100_000;

/**
 * Balances in memory, for a process that owns the database alone: what remains and what is set aside of it. An account is read at its first
 * use; whoever changes it beside the ledger says so before, and it is read again after that transaction has ended.
 */
export class AccountsInMemory {
  readonly #users: Accounts = new Map();
  readonly #tokens: Accounts = new Map();

  /** The accounts of the payer that must be read before anything is set aside for it. */
  unknownOf({ userId, tokenId, tokenUnlimited }: Payer): ("user" | "token")[] {
    const unknown: ("user" | "token")[] = [];
    if (!accountOf(this.#users, userId).known) unknown.push("user");
    if (!tokenUnlimited && !accountOf(this.#tokens, tokenId).known) unknown.push("token");
    return unknown;
  }

  /** Returns how to say what an account has; that counts only when nobody has changed it since this call. */
  reading(account: "user" | "token", id: number): (remaining: number) => void {
    const accounts = account === "user" ? this.#users : this.#tokens;
    const found = accountOf(accounts, id);
    const { version } = found;
    return (remaining) => {
      if (found.version !== version || accounts.get(id) !== found) return;
      [found.remaining, found.known] = [remaining, true];
      // Who has just been told of it finds it: it is among the last now that are forgotten.
      accounts.delete(id);
      accounts.set(id, found);
    };
  }

  /** What can be set aside for the payer; everything must be known. */
  available({ userId, tokenId, tokenUnlimited }: Payer): number {
    const user = spare(accountOf(this.#users, userId));
    return tokenUnlimited ? user : Math.min(user, spare(accountOf(this.#tokens, tokenId)));
  }

  /** Whether the account is known to have the amount, whatever is set aside of it; nothing asks for nothing. */
  covers(account: "user" | "token", id: number, amount: number): boolean {
    if (amount <= 0) return true;
    const found = (account === "user" ? this.#users : this.#tokens).get(id);
    return found !== undefined && found.known && found.remaining >= amount;
  }

  /** Sets the amount aside, or says whose balance does not cover it; everything must be known. */
  hold(payer: Payer, amount: number): ReserveRefusal | undefined {
    const user = accountOf(this.#users, payer.userId);
    if (user.remaining - user.held < amount) return "user-quota";
    if (!payer.tokenUnlimited) {
      const token = accountOf(this.#tokens, payer.tokenId);
      if (token.remaining - token.held < amount) return "token-quota";
      token.held += amount;
    }
    user.held += amount;
    return undefined;
  }

  /** Sets more aside for a request whose charge exceeds what was: as much as nobody else holds. Returns how much of `wanted` that is, by account. */
  holdMore(payer: Payer, wanted: number): { readonly user: number; readonly token: number } {
    const user = accountOf(this.#users, payer.userId);
    const fromUser = Math.min(wanted, spare(user));
    user.held += fromUser;
    if (payer.tokenUnlimited) return { user: fromUser, token: 0 };
    const token = accountOf(this.#tokens, payer.tokenId);
    const fromToken = Math.min(fromUser, spare(token));
    token.held += fromUser;
    return { user: fromUser, token: fromToken };
  }

  /** Gives back what was set aside. */
  free(payer: Payer, amount: number): void {
    accountOf(this.#users, payer.userId).held -= amount;
    if (!payer.tokenUnlimited) accountOf(this.#tokens, payer.tokenId).held -= amount;
  }

  /** Says what a commit took. */
  spend(payer: Payer, fromUser: number, fromToken: number): void {
    accountOf(this.#users, payer.userId).remaining -= fromUser;
    if (!payer.tokenUnlimited) accountOf(this.#tokens, payer.tokenId).remaining -= fromToken;
  }

  /** Says that somebody changes the account in a transaction that is open now. Returns what is set aside of it. */
  changing(account: "user" | "token", id: number): number {
    const found = accountOf(account === "user" ? this.#users : this.#tokens, id);
    found.known = false;
    found.version += 1;
    return found.held;
  }

  /** The same of the payer's accounts. */
  changingOf({ userId, tokenId, tokenUnlimited }: Payer): void {
    this.changing("user", userId);
    if (!tokenUnlimited) this.changing("token", tokenId);
  }
}

function accountOf(accounts: Accounts, id: number): Account {
  let account = accounts.get(id);
  if (account === undefined) {
    if (accounts.size >= MOST_ACCOUNTS) forgetHalf(accounts);
    accounts.set(id, (account = { remaining: 0, held: 0, known: false, version: 0 }));
  }
  return account;
}

/** Forgets those that were read first and of which nothing is set aside: they are read again at their next use. */
function forgetHalf(accounts: Accounts): void {
  for (const [id, { held }] of accounts) {
    if (held === 0) accounts.delete(id);
    if (accounts.size <= MOST_ACCOUNTS / 2) return;
  }
}

function spare({ remaining, held }: Account): number {
  return Math.max(0, remaining - held);
}
