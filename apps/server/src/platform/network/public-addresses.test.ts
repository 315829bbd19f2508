import assert from "node:assert/strict";
import { test } from "node:test";
import { createPublicAddresses } from "./public-addresses.ts";

test("[TLIMIT-29] only globally reachable addresses are public, in every notation", () => {
  const { mayFetch } = createPublicAddresses([]);
  for (const address of ["1.1.1.1", "8.8.8.8", "172.32.0.1", "2606:4700:4700::1111", "2a00:1450::1"]) {
    assert.equal(mayFetch(address), true, address);
  }
  const inside = [
    "127.0.0.1",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "224.0.0.1",
  ];
  const spelt = [
    "::1",
    "::",
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "::127.0.0.1",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
    "fc00::1",
    "fe80::1",
    "ff02::1",
  ];
  for (const address of [...inside, ...spelt, "255.255.255.255", "100.100.100.200", "localhost", ""]) {
    assert.equal(mayFetch(address), false, address);
  }
});

test("[TLIMIT-30] allowed networks are exempt, but metadata services never", () => {
  const { mayFetch } = createPublicAddresses(["10.0.0.0/8", "::1", "169.254.0.0/16"]);
  assert.deepEqual(["10.1.2.3", "::1", "127.0.0.1", "fd00::1", "169.254.169.254"].map(mayFetch), [
    true,
    true,
    false,
    false,
    false,
  ]);
});
