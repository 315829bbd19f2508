import assert from "node:assert/strict";
import { it } from "node:test";
import { DatabaseUnavailableError } from "@one-api/database/database-errors";
import { type Ledger, LedgerClosedError, type SettleCallback, type Settlement } from "@one-api/ledger/ledger";
import { NotSettledError } from "../errors/index.ts";
import { settleWithRetries } from "./settle.ts";

const due: Settlement = {
  requestId: "r",
  userId: 1,
  tokenId: 1,
  tokenUnlimited: false,
  channelId: 1,
  charge: 5,
  log: undefined,
  at: 1,
};

/** A ledger that answers one call after the other with these errors; after them every call succeeds. */
function ledgerThat(...failures: readonly Error[]) {
  const asked: (number | undefined)[] = [];
  const ledger: Pick<Ledger, "settle"> = {
    settle({ charge }: Settlement, done: SettleCallback) {
      const failure = failures[asked.push(charge) - 1];
      if (failure === undefined) done(undefined, { settled: true, charged: charge ?? 0 });
      else done(failure, undefined);
    },
  };
  return { ledger, asked };
}

const away = () => new DatabaseUnavailableError("away");

it("settles again until the database is back, and tries what is due for an unanswered caller after the time", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const told: (Error | undefined)[] = [];
  const { ledger, asked } = ledgerThat(away(), away(), away());
  settleWithRetries(
    ledger,
    due,
    () => ({ ...due, charge: undefined }),
    200,
    (error) => told.push(error),
  );
  for (let ms = 0; ms < 60_000; ms += 50) t.mock.timers.tick(50);
  assert.deepEqual(asked, [5, 5, undefined, undefined]);
  assert.equal(told.length, 1);
  assert.ok(told[0] instanceof NotSettledError && told[0].comesLater);
});

it("puts right what was booked just when the caller was told that it was not", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const told: (Error | undefined)[] = [];
  const asked: (number | undefined)[] = [];
  let commit: (() => void) | undefined;
  const ledger: Pick<Ledger, "settle"> = {
    settle({ charge }: Settlement, done: SettleCallback) {
      if (asked.push(charge) === 1) return done(away(), undefined);
      const booked = () => done(undefined, { settled: true, charged: charge ?? 0 });
      // The second one is under way for longer than the caller waits.
      if (asked.length === 2) commit = booked;
      else booked();
    },
  };
  settleWithRetries(
    ledger,
    due,
    () => ({ ...due, charge: undefined }),
    200,
    (error) => told.push(error),
  );
  t.mock.timers.tick(150);
  t.mock.timers.tick(150);
  assert.ok(told[0] instanceof NotSettledError);
  commit?.();
  for (let ms = 0; ms < 10_000; ms += 50) t.mock.timers.tick(50);
  assert.deepEqual(asked, [5, 5, undefined], "what the caller never got costs nothing");
  assert.equal(told.length, 1);
});

it("waits no longer for a database that neither books nor refuses, and puts right what it books after that", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const told: (Error | undefined)[] = [];
  const asked: (number | undefined)[] = [];
  let commit: (() => void) | undefined;
  let doubted: (() => boolean) | undefined;
  const ledger: Pick<Ledger, "settle"> = {
    settle({ charge }: Settlement, done: SettleCallback, isLate?: () => boolean) {
      const booked = () => done(undefined, { settled: true, charged: charge ?? 0 });
      if (asked.push(charge) > 1) return booked();
      doubted = isLate;
      commit = booked;
    },
  };
  settleWithRetries(
    ledger,
    due,
    () => ({ ...due, charge: undefined }),
    200,
    (error) => told.push(error),
  );
  assert.equal(doubted?.(), false);
  t.mock.timers.tick(200);
  assert.ok(told[0] instanceof NotSettledError && told[0].comesLater);
  assert.equal(doubted?.(), true);
  commit?.();
  assert.equal(asked.length, 2, "at once: the ledger may be about to close");
  for (let ms = 0; ms < 10_000; ms += 50) t.mock.timers.tick(50);
  assert.deepEqual(asked, [5, undefined], "what the caller never got costs nothing");
  assert.equal(told.length, 1);
});

it("tries no more once the ledger is closed", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { ledger, asked } = ledgerThat(away(), new LedgerClosedError());
  settleWithRetries(
    ledger,
    due,
    () => due,
    200,
    () => undefined,
  );
  for (let ms = 0; ms < 60_000; ms += 50) t.mock.timers.tick(50);
  assert.equal(asked.length, 2);
});
