import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { startStubServer } from "@one-api/stub-server/start-stub-server";
import { z } from "zod";
import { expectBooksInOrder } from "./expect-books-in-order.ts";
import { readDelivered } from "../gateway/delivered-answer.ts";
import { askStub, setUpStubChannel } from "../gateway/set-up-stub-channel.ts";
import { startGateway } from "../gateway/start-gateway.ts";

const errorSchema = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

/** A disk of a few megabytes, or undefined where this process may not make one. */
function mountSmallDisk(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), "one-api-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=6m", "tmpfs", folder], { stdio: "ignore" });
    return folder;
  } catch {
    rmSync(folder, { recursive: true });
    return undefined;
  }
}

function unmount(folder: string): void {
  execFileSync("umount", [folder]);
  rmSync(folder, { recursive: true });
}

/** Fills the disk to the last byte. */
function fill(file: string): void {
  try {
    writeFileSync(file, Buffer.alloc(8 * 1024 * 1024));
  } catch {
    // The disk is full now, which is what was wanted.
  }
}

/** Long enough for a refusal, far shorter than an answer waits for its charge. */
const REFUSED_WITHIN_MS = 1_000;
const MOST_WAITING = 60;
/** Longer than it takes to fill the disk. */
const SERVED_FOR_MS = 500;

test("with a full disk nothing is delivered unbooked, and there is no need to restart once there is space", async (t) => {
  const dataDirectory = mountSmallDisk();
  if (dataDirectory === undefined) return t.skip("needs the right to mount a small disk (root on Linux)");
  t.after(() => unmount(dataDirectory));
  const location = { dataDirectory, databaseUrl: "" };
  const upstream = await startStubServer();
  t.after(() => upstream.close());
  const gateway = await startGateway(location);
  t.after(() => gateway.kill());
  const key = await setUpStubChannel(gateway.url, upstream.at("openai"));
  const ask = async (stream: boolean) => {
    const answer = await askStub(gateway.url, key, { stream });
    const text = await answer.text();
    return { status: answer.status, text, delivered: readDelivered(answer, text) };
  };
  const before = [await ask(false), await ask(true)];
  for (const { status } of before) assert.equal(status, 200);

  const filler = join(dataDirectory, "filler");
  // A call that is served when the disk fills up waits for its charge. Once the gateway knows that the disk is full, it serves no other.
  upstream.setBehaviour({ kind: "normal", headersDelayMs: SERVED_FOR_MS });
  const waiting = [ask(true)];
  await upstream.waitForRequest(({ finishedAtMs }) => finishedAtMs === null);
  fill(filler);
  upstream.setBehaviour({ kind: "normal" });
  for (let isRefused = false; !isRefused;) {
    assert.ok(waiting.length < MOST_WAITING, "the gateway refuses calls once it knows that the disk is full");
    const call = ask(false);
    isRefused = (await Promise.race([call, wait(REFUSED_WITHIN_MS)])) !== undefined;
    if (!isRefused) waiting.push(call);
  }
  const refused = await Promise.all(Array.from({ length: 20 }, (_, index) => ask(index % 2 === 0)));
  for (const { status, text } of refused) {
    assert.equal(status, 503, text);
    assert.equal(errorSchema.parse(JSON.parse(text)).error.code, "unavailable");
  }

  const health = async () => (await fetch(`${gateway.url}/healthz`)).status;
  assert.equal(await health(), 503, "its load balancer learns that calls are refused");

  rmSync(filler);
  const late = await Promise.all(waiting);
  assert.match(late[0]?.text ?? "", /data: \[DONE\]/);
  for (const { status } of late) assert.equal(status, 200);
  const after = { answer: await ask(false), stream: await ask(true) };
  assert.equal(after.answer.status, 200);
  assert.match(after.stream.text, /data: \[DONE\]/);
  while ((await health()) !== 200);
  assert.equal(await gateway.terminate(), 0);
  const delivered = [...before, ...late, after.answer, after.stream].map(
    ({ delivered: answer, text }) => answer ?? assert.fail(text),
  );
  assert.equal(await expectBooksInOrder(location, delivered), delivered.length);
});
