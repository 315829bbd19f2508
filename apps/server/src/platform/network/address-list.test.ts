import assert from "node:assert/strict";
import { test } from "node:test";
import { createAddressList } from "./address-list.ts";

test("an address list has ranges and single addresses of both families", () => {
  const { has } = createAddressList(["192.0.2.0/24", "198.51.100.7", "2001:db8::/32", "::1"]);
  for (const inside of ["192.0.2.255", "198.51.100.7", "::ffff:192.0.2.1", "2001:db8::1", "::1"])
    assert.ok(has(inside), inside);
  for (const outside of ["192.0.3.0", "198.51.100.8", "2001:db9::1", "::2", "", "unknown", "192.0.2"])
    assert.ok(!has(outside), outside);
});

test("a range of IPv6 has no IPv4 address, however it is written", () => {
  const { has } = createAddressList(["::/0"]);
  for (const address of ["192.0.2.1", "::ffff:192.0.2.1"]) assert.ok(!has(address), address);
  assert.ok(has("2001:db8::1"));
  assert.ok(!createAddressList([]).has("192.0.2.1"));
});
