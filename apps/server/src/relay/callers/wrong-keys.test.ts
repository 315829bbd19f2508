import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { WrongKeys } from "./wrong-keys.ts";

const SECOND = 1_000;

describe("wrong API keys", () => {
  const statusesOf = (wrongKeys: WrongKeys, addresses: readonly string[], nowMs = 0) =>
    addresses.map((address) => wrongKeys.refuse(address, nowMs).status);
  const times = (count: number, address: string) => Array.from({ length: count }, () => address);

  it("of one address get 429 from the 31st in a minute on, until the minute ends", () => {
    const wrongKeys = new WrongKeys();
    assert.deepEqual(new Set(statusesOf(wrongKeys, times(30, "192.0.2.1"))), new Set([401]));
    const refused = wrongKeys.refuse("192.0.2.1", 20 * SECOND);
    assert.deepEqual([refused.status, refused.headers["retry-after"]], [429, "40"]);
    assert.equal(wrongKeys.refuse("192.0.2.1", 60 * SECOND).status, 401);
  });

  it("are counted by address in any notation, and by the /64 of IPv6", () => {
    const together = [
      ["::ffff:192.0.2.1", "192.0.2.1"],
      ["2001:db8::1", "2001:db8:0:0:ffff::2"],
      ["2001:DB8:0:5::1", "2001:db8:0:5:1:2:3:4"],
    ] as const;
    for (const [one, other] of together) {
      const wrongKeys = new WrongKeys();
      statusesOf(wrongKeys, times(30, one));
      assert.equal(wrongKeys.refuse(other, 0).status, 429, other);
    }
    const wrongKeys = new WrongKeys();
    statusesOf(wrongKeys, [...times(31, "192.0.2.1"), ...times(31, "2001:db8::1")]);
    assert.deepEqual(statusesOf(wrongKeys, ["192.0.2.2", "2001:db8:0:1::1"]), [401, 401]);
  });

  it("are counted for a bounded number of addresses, the newest", () => {
    const wrongKeys = new WrongKeys();
    statusesOf(wrongKeys, times(31, "192.0.2.1"));
    for (let host = 0; host < 10_000; host += 1) wrongKeys.refuse(`10.1.${host >> 8}.${host & 255}`, SECOND);
    assert.equal(wrongKeys.refuse("192.0.2.1", SECOND).status, 401);
  });
});
