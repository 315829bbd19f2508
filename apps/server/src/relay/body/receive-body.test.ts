import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, request } from "node:http";
import { describe, it } from "node:test";
import { TimeSlices } from "../../platform/work/time-slices.ts";
import { RelayError } from "../errors/index.ts";
import { BufferPool } from "./memory/buffer-pool.ts";
import { BodyMemory } from "./memory/body-memory.ts";
import { systemClock } from "../../platform/clock.ts";
import { IncomingBody } from "./receive-body.ts";

const MEBIBYTE = 1024 * 1024;

/** Sends a body in pieces to a server. Returns the received body, or its refusal. */
async function send(
  body: Buffer,
  pieceBytes: number,
  isDeclared: boolean,
  bodyMemory: BodyMemory,
  bodyBuffers = new BufferPool(),
  whenTaken: (body: IncomingBody) => void = () => undefined,
): Promise<Buffer | RelayError> {
  const taken = Promise.withResolvers<Buffer | RelayError>();
  const server = createServer((incoming, response) => {
    const end = (outcome: Buffer | RelayError) => {
      whenTaken(into);
      taken.resolve(outcome);
      response.end();
    };
    const intake = {
      bodyMemory,
      bodyBuffers,
      timeSlices: new TimeSlices(),
      clock: systemClock,
      timeouts: { bodyStallMs: 60_000 },
    };
    const into = new IncomingBody(incoming, intake, end, end);
    into.read(1);
    response.once("finish", () => into.release());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  const headers = isDeclared ? { "content-length": body.length } : {};
  const outgoing = request({ port: address.port, host: "127.0.0.1", method: "POST", headers, agent: false });
  const answered = once(outgoing, "response");
  for (let at = 0; at < body.length; at += pieceBytes) {
    if (!outgoing.write(body.subarray(at, at + pieceBytes))) await once(outgoing, "drain");
  }
  outgoing.end();
  await answered;
  outgoing.destroy();
  server.close();
  return taken.promise;
}

describe("a body on its way into memory", () => {
  for (const isDeclared of [true, false]) {
    for (const bytes of [1, 70_000, MEBIBYTE, 5 * MEBIBYTE + 3]) {
      it(`arrives unchanged: ${bytes} bytes, ${isDeclared ? "declared" : "in chunks"}`, async () => {
        const body = randomBytes(bytes);
        const arrived = await send(body, 65_521, isDeclared, new BodyMemory(64 * MEBIBYTE));
        assert.ok(Buffer.isBuffer(arrived) && arrived.equals(body));
      });
    }
  }

  it("claims memory for received bytes only, and releases all of it", async () => {
    const memory = new BodyMemory(64 * MEBIBYTE);
    const taken: unknown[] = [];
    await send(randomBytes(3 * MEBIBYTE), 65_521, true, memory, undefined, () => taken.push(memory.taken));
    assert.deepEqual(taken, [{ all: 3 * MEBIBYTE, byAccount: 3 * MEBIBYTE }]);
    assert.deepEqual(memory.taken, { all: 0, byAccount: 0 });
  });

  it("counts for no account if it is short and complete", async () => {
    const memory = new BodyMemory(64 * MEBIBYTE);
    const taken: unknown[] = [];
    await send(randomBytes(50_000), 9_000, true, memory, undefined, () => taken.push(memory.taken));
    assert.deepEqual(taken, [{ all: 50_000, byAccount: 0 }]);
    assert.deepEqual(memory.taken, { all: 0, byAccount: 0 });
  });

  it("claims memory for fetched content, and releases it before a new fetch", async () => {
    const memory = new BodyMemory(256 * MEBIBYTE);
    const taken: number[] = [];
    await send(randomBytes(2 * MEBIBYTE), 65_521, true, memory, undefined, (body) => {
      for (let attempt = 0; attempt < 3; attempt += 1) {
        body.shrink();
        body.grow(30 * MEBIBYTE);
        taken.push(memory.taken.all, memory.taken.byAccount);
      }
      body.shrink();
      taken.push(memory.taken.all, memory.taken.byAccount);
      body.grow(10);
    });
    assert.deepEqual(
      taken,
      [32, 32, 32, 32, 32, 32, 2, 2].map((mebibytes) => mebibytes * MEBIBYTE),
    );
    assert.deepEqual(memory.taken, { all: 0, byAccount: 0 });
  });

  it("reuses the buffer of a refused body completely", async () => {
    const buffers = new BufferPool();
    const memory = new BodyMemory(64 * MEBIBYTE);
    buffers.put(buffers.take(3 * MEBIBYTE).fill("x"));
    const body = randomBytes(2 * MEBIBYTE);
    const arrived = await send(body, 65_521, true, memory, buffers);
    assert.ok(Buffer.isBuffer(arrived) && arrived.equals(body));
    assert.equal(arrived.buffer.byteLength, 3 * MEBIBYTE);
  });

  it("is refused if memory is short", async () => {
    const refused = await send(randomBytes(3 * MEBIBYTE), 65_521, true, new BodyMemory(2 * MEBIBYTE));
    assert.ok(refused instanceof RelayError);
    assert.equal(refused.status, 503);
  });
});
