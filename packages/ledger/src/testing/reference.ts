import assert from "node:assert/strict";

/**
 * What callers may rely on, without any mechanism of the ledger. States of a request:
 *
 * | state    | meaning                                                          | leads to               |
 * |----------|------------------------------------------------------------------|------------------------|
 * | open     | reserved                                                         | settled, doubt, free, dead |
 * | doubt    | a settlement has no answer: any charge in `possible` may be booked | settled, dead          |
 * | settled  | booked with exactly the charge in `possible`                     | –                      |
 * | free     | released or refused: no charge                                   | –                      |
 * | lost     | its reservation had no answer: reserved for nobody in the end       | –                      |
 * | dead     | its server was killed or declared dead                           | settled, once recovered |
 */
export interface ModelRequest {
  readonly id: string;
  readonly payer: number;
  readonly server: number;
  readonly amount: number;
  /** Highest delivered cost of a checkpoint. */
  noted: number;
  /** A checkpoint was sent: the reservation stays after a release until that is deleted. */
  isNoted: boolean;
  /** What the last stored checkpoint may say; 0 for none. */
  notes: Set<number>;
  state: "open" | "doubt" | "settled" | "free" | "dead" | "lost";
  /** A settlement of it had no answer, so its charge may still be put right. */
  wasInDoubt: boolean;
  /** One of these settlements had no charge, so the reservation may be gone. */
  wasReturned: boolean;
  /** Charges that the log may hold; 0 for none. */
  possible: Set<number>;
  /** Of a request that was open when its server was killed: what its last checkpoint may say, which is charged once the server is recovered. */
  owed: ReadonlySet<number> | undefined;
}

/** An account in the database: what is left of it and what was charged to it. */
export interface StoredAccount {
  readonly remaining: number;
  readonly charged: number;
}

export class Reference {
  readonly requests = new Map<string, ModelRequest>();
  readonly #granted = new Map<string, number>();

  granted(account: string, amount: number): void {
    this.#granted.set(account, (this.#granted.get(account) ?? 0) + amount);
  }

  /** What was granted to an account and is not among the charges of so much. */
  left(account: string, charged: number): number {
    return (this.#granted.get(account) ?? 0) - charged;
  }

  open(request: Pick<ModelRequest, "id" | "payer" | "server" | "amount">): void {
    this.requests.set(request.id, {
      ...request,
      noted: 0,
      isNoted: false,
      notes: new Set([0]),
      state: "open",
      wasInDoubt: false,
      wasReturned: false,
      possible: new Set([0]),
      owed: undefined,
    });
  }

  /** A server died: what it delivered last is charged, unless a settlement in doubt was booked. One that only froze may lower that when it wakes. */
  die(server: number, how: "killed" | "frozen"): void {
    for (const request of this.requests.values()) {
      if (request.server !== server || (request.state !== "open" && request.state !== "doubt")) continue;
      const delivered = new Set([...request.notes].map((note) => Math.min(note, request.amount)));
      if (how === "killed" && request.state === "open") request.owed = delivered;
      request.state = "dead";
      for (const charge of delivered) request.possible.add(charge);
    }
  }

  /** Holds after every command: one charge per request, one of the possible ones, and no balance below zero. */
  check(charges: ReadonlyMap<string, readonly number[]>, accounts: ReadonlyMap<string, StoredAccount>): void {
    for (const [id, booked] of charges) {
      assert.ok(booked.length <= 1, `${id} is charged ${booked.length} times`);
      assert.ok(this.requests.has(id), `${id} was never reserved and is charged`);
    }
    for (const { id, possible, state } of this.requests.values()) {
      const charge = charges.get(id)?.[0] ?? 0;
      assert.ok(possible.has(charge), `${id} (${state}) is charged ${charge}, not one of ${[...possible].join(", ")}`);
    }
    for (const [account, { remaining }] of accounts) assert.ok(remaining >= 0, `${account} has ${remaining} left`);
  }

  /** Holds when nothing is under way and all dead servers are recovered: what was granted is what is left and what was charged. */
  checkAtRest(charges: ReadonlyMap<string, readonly number[]>, accounts: ReadonlyMap<string, StoredAccount>): void {
    for (const { id, owed } of this.requests.values()) {
      const charge = charges.get(id)?.[0] ?? 0;
      assert.ok(owed?.has(charge) !== false, `${id} is charged ${charge} after its server was killed`);
    }
    for (const [account, { remaining, charged }] of accounts)
      assert.equal(remaining + charged, this.#granted.get(account) ?? 0, `${account} does not add up`);
  }
}
