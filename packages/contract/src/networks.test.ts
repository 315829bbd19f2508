import assert from "node:assert/strict";
import { test } from "node:test";
import { wrongNetwork } from "./networks.ts";

test("[TLIMIT-27] networks are IPv4 and IPv6 ranges and addresses, and nothing that only looks so", () => {
  const right = ["192.0.2.0/24", "198.51.100.7", "0.0.0.0/0", "2001:db8::/32", "2001:db8::1", "::ffff:192.0.2.1"];
  assert.equal(wrongNetwork(right), undefined);
  const wrong = [
    "office",
    "192.0.2.0/33",
    "10.0.0.0/8/9",
    "10.0.0.0/008",
    "10.0.0.0/",
    "010.0.0.1",
    "[::1]",
    "fe80::1%eth0",
    "fe80::1%eth0/64",
    "::1/129",
  ];
  for (const network of wrong) assert.equal(wrongNetwork(["10.0.0.1", network]), network);
});
