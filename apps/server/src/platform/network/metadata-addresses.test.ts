import assert from "node:assert/strict";
import { test } from "node:test";
import { isMetadataAddress, isMetadataHost } from "./metadata-addresses.ts";

test("metadata addresses are recognised in every notation", () => {
  const plain = ["169.254.169.254", "169.254.170.2", "100.100.100.200", "168.63.129.16", "192.0.0.192"];
  const within = plain.flatMap((address) => [
    `::ffff:${address}`,
    `::${address}`,
    `::ffff:0:${address}`,
    `64:ff9b::${address}`,
  ]);
  const sixToFour = [
    "2002:a9fe:a9fe::",
    "2002:a9fe:a9fe::1",
    "2002:6464:64c8::1",
    "2002:a83f:8110::",
    "2002:c000:c0::",
  ];
  const own = [
    "fe80::1",
    "febf::1",
    "fd00:ec2::254",
    "fd00:ec2::23",
    "fd20:ce::254",
    "fd00:42::42",
    "FD00:0EC2:0:0::23",
  ];
  for (const address of [...plain, ...within, ...sixToFour, ...own])
    assert.equal(isMetadataAddress(address), true, address);
  const others = [
    "127.0.0.1",
    "10.0.0.1",
    "100.100.100.201",
    "168.63.129.17",
    "::1",
    "::ffff:10.0.0.1",
    "fd00:ec2::25",
  ];
  for (const address of [...others, "64:ff9b::6464:64c9", "2002:6464:64c9::1", "fec0::1", "metadata", ""])
    assert.equal(isMetadataAddress(address), false, address);
});

test("hosts may have brackets, a trailing dot, upper case or a zone", () => {
  for (const host of [
    "[fd00:ec2::23]",
    "169.254.169.254.",
    "Metadata.Google.Internal.",
    "[64:ff9b::6464:64c8]",
    "fe80::1%eth0",
  ])
    assert.equal(isMetadataHost(host), true, host);
  for (const host of ["example.com", "metadata.example.com", "[::1]"]) assert.equal(isMetadataHost(host), false, host);
});
