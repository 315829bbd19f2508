import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { mailboxOf } from "./mailbox.ts";

describe("the mailbox of an address", () => {
  const same: readonly (readonly [mailbox: string, ...addresses: string[]])[] = [
    ["box@example.org", "BOX@Example.ORG", "box+1@example.org", "box+a+b@example.org", " box@example.org. "],
    ["johndoe@gmail.com", "john.doe@gmail.com", "j.o.h.n.doe+x@googlemail.com", "JohnDoe@GoogleMail.com"],
    ["ann@proton.me", "ann@pm.me", "a.n-n_@protonmail.com", "ann+shop@protonmail.ch"],
    ["annlee@yandex.ru", "ann.lee@ya.ru", "ann-lee@yandex.com"],
    ["ann@icloud.com", "ann@me.com", "ann+1@mac.com"],
    ["ann@xn--bcher-kva.example", "ann@bücher.example", "ann@XN--BCHER-KVA.example"],
    ["ann@example.org", "\uff41nn@example.org"],
    ["+tag@example.org", "+tag@example.org"],
  ];
  for (const [mailbox, ...addresses] of same)
    test(`is ${mailbox} for all of its addresses`, () => {
      assert.deepEqual(
        addresses.map(mailboxOf),
        addresses.map(() => mailbox),
      );
    });

  test("differs where the host distinguishes the addresses", () => {
    const others = ["b.ox@example.org", "box@example.com", "b-ox@gmail.com", "b_ox@gmail.com", "box@mail.example.org"];
    assert.equal(new Set([...others, "box@example.org", "box@gmail.com"].map(mailboxOf)).size, others.length + 2);
  });
});
