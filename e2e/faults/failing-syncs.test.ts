import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { createTestDatabase } from "@one-api/database/test-databases";
import { startStubServer } from "@one-api/stub-server/start-stub-server";
import { findOnPath } from "../../scripts/lib/find-programs.mjs";
import { type DeliveredAnswer, readDelivered } from "../gateway/delivered-answer.ts";
import { askStub, setUpStubChannel } from "../gateway/set-up-stub-channel.ts";
import { startGateway } from "../gateway/start-gateway.ts";
import { expectBooksInOrder } from "./expect-books-in-order.ts";

const SOURCE = fileURLToPath(new URL("fail-syncs.c", import.meta.url));
const compiler = findOnPath("cc", "gcc", "clang");
const missing = process.platform === "linux" ? "needs a C compiler" : "preloads a library of Linux";
/** Calls while the disk fails, streams and whole answers in turn. */
const CALLS = 12;

test(
  "while the disk fails to sync no answer ends, and once it works the gateway serves again and all balances add up",
  { skip: (compiler === undefined || process.platform !== "linux") && missing },
  async (t) => {
    const upstream = await startStubServer();
    t.after(() => upstream.close());
    const made = await createTestDatabase("sqlite");
    t.after(() => made.remove());
    const { dataDirectory } = made.location;
    const library = join(dataDirectory, "fail-syncs.so");
    const failing = join(dataDirectory, "syncs-fail");
    execFileSync(compiler ?? "", ["-shared", "-fPIC", "-o", library, SOURCE]);
    const gateway = await startGateway(made.location, undefined, { LD_PRELOAD: library, FAIL_SYNCS: failing });
    t.after(() => gateway.kill());
    const key = await setUpStubChannel(gateway.url, upstream.at("openai"));
    const delivered: DeliveredAnswer[] = [];
    const ask = async (stream: boolean) => {
      const answer = await askStub(gateway.url, key, { stream });
      const text = await answer.text();
      const whole = readDelivered(answer, text);
      if (whole !== undefined) delivered.push(whole);
      return { status: answer.status, isWhole: whole !== undefined };
    };
    const askAll = () => Promise.all(Array.from({ length: CALLS }, (_, index) => ask(index % 2 === 0)));
    assert.ok((await askAll()).every(({ isWhole }) => isWhole));

    writeFileSync(failing, "");
    const before = delivered.length;
    const waiting = askAll();
    const health = async () => (await fetch(`${gateway.url}/healthz`)).status;
    while ((await health()) !== 503);
    assert.deepEqual(await ask(false), { status: 503, isWhole: false }, "no call is accepted");
    assert.equal(delivered.length, before, "nothing is delivered whole that may not be on disk");

    rmSync(failing);
    for (const { status } of await waiting) assert.ok(status === 200 || status === 503, String(status));
    while ((await health()) !== 200);
    assert.ok((await askAll()).every(({ isWhole }) => isWhole));
    assert.equal(await gateway.terminate(), 0);
    const charged = await expectBooksInOrder(made.location, delivered);
    t.diagnostic(`${delivered.length} delivered, ${charged} charged`);
  },
);
