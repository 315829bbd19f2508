import assert from "node:assert/strict";
import { test } from "node:test";
import type { Reservation } from "../ledger.ts";
import { LeaseBook, type Wish } from "./lease-book.ts";

const MINUTE = 60_000;

const RESERVATION: Reservation = {
  userId: 1,
  tokenId: 2,
  tokenUnlimited: true,
  requestId: "r",
  amount: 10,
  createdAt: 1,
  callerVersion: 7,
};

/** A reservation that was granted by a row, with nothing heard meanwhile. */
function note(book: LeaseBook, nowMs = 0, reservation = RESERVATION): void {
  book.noteReserved(reservation, book.changes, nowMs);
}

function onlyWish(book: LeaseBook): Wish {
  const wishes = book.takeWishes(10);
  assert.equal(wishes.length, 1);
  const [wish] = wishes;
  assert.ok(wish);
  return wish;
}

/** A book with a lease of 40 quota, which pays for the caller's requests. */
function withLease() {
  const book = new LeaseBook();
  note(book);
  note(book);
  const wish = onlyWish(book);
  book.noteWish(wish, "granted", 0);
  return { book, lease: wish.lease };
}

test("whoever comes for the first time gets nothing in advance, whoever comes again four requests", () => {
  const book = new LeaseBook();
  note(book);
  assert.equal(book.hasWishes, false);
  note(book);
  assert.equal(onlyWish(book).amount, 40);
});

test("a lease pays for as many requests as it covers, and doubles when it was not enough", () => {
  const { book, lease } = withLease();
  for (let request = 0; request < 4; request += 1) assert.equal(book.hold(RESERVATION), lease);
  assert.equal(book.hold(RESERVATION), undefined);
  note(book);
  const wish = onlyWish(book);
  assert.equal(wish.amount, 40);
  book.noteWish(wish, "granted", 0);
  assert.equal(lease.amount, 80);
});

test("after a refusal nothing is asked for in advance for a minute", () => {
  const book = new LeaseBook();
  note(book);
  note(book);
  book.noteWish(onlyWish(book), "refused", 0);
  note(book, MINUTE - 1);
  assert.equal(book.hasWishes, false);
  note(book, MINUTE);
  assert.equal(book.hasWishes, true);
});

test("a caller who changed is paid for again once a later reservation was let in", () => {
  const { book, lease } = withLease();
  const before = book.changes;
  book.noteChange(1);
  assert.equal(book.hold(RESERVATION), undefined);
  book.noteReserved(RESERVATION, before, 0);
  assert.equal(book.hold(RESERVATION), undefined, "that had been asked for before the change");
  note(book);
  assert.equal(book.hold(RESERVATION), lease);
});

test("a change that is heard while the first reservation is under way counts, though no lease knew of it", () => {
  const book = new LeaseBook();
  const asked = book.changes;
  book.noteChange(1);
  book.noteReserved(RESERVATION, asked, 0);
  note(book);
  assert.equal(book.hasWishes, false, "the caller is known since the second one");
});

test("a lease whose statement may still be under way is looked for again, for a minute", () => {
  const book = new LeaseBook();
  note(book);
  note(book);
  const wish = onlyWish(book);
  book.noteWish(wish, "unknown", 0);
  const lookAt = (nowMs: number, returned: number) => {
    const leases = book.look(nowMs);
    for (const lease of leases) {
      const { amount } = book.startReturn(lease);
      assert.equal(amount, undefined, "all of it, whatever it is");
      book.noteReturn(lease, true, returned, nowMs);
    }
    return leases.length;
  };
  assert.equal(lookAt(1_000, 0), 1, "not found");
  assert.equal(lookAt(20_000, 40), 1, "its row came late, and went back");
  assert.equal(lookAt(30_000, 0), 0);
});

test("a lease whose statement never came is forgotten after a minute", () => {
  const book = new LeaseBook();
  note(book);
  note(book);
  const wish = onlyWish(book);
  book.noteWish(wish, "unknown", 0);
  const [lease] = book.look(MINUTE);
  assert.ok(lease);
  book.startReturn(lease);
  book.noteReturn(lease, true, 0, MINUTE);
  assert.deepEqual(book.look(MINUTE + 1), []);
});
