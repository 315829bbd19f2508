import assert from "node:assert/strict";
import { test } from "node:test";
import { networkOfAddress } from "./network-of-address.ts";

const NETWORKS: readonly [address: string, network: string][] = [
  ["203.0.113.77", "203.0.113.0/24"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:0::/56"],
  ["2001:db8::1", "2001:db8:0:0::/56"],
  ["2001:DB8:0:0:ffff::", "2001:db8:0:0::/56"],
  ["::1", "0:0:0:0::/56"],
  ["2001:0db8:0001:0002::9", "2001:db8:1:0::/56"],
  ["2001:db8:1:a2::9", "2001:db8:1:0::/56"],
  ["2001:db8:1:fFa2::9", "2001:db8:1:ff00::/56"],
  ["2001:db8:1:100::9", "2001:db8:1:100::/56"],
];

test("a customer's addresses are one network in every notation", () => {
  for (const [address, network] of NETWORKS) assert.equal(networkOfAddress(address), network);
});
