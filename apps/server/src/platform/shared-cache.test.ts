import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import { describe, it } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { startTestRedis } from "../testing/servers/start-test-redis.ts";
import { systemClock } from "./clock.ts";
import { createLog } from "./logging/create-log.ts";
import { connectRedis, type Redis } from "./redis.ts";
import { createSharedCache, type SharedCache } from "./shared-cache.ts";

const silent = createLog("fatal", { write: () => undefined });

async function cacheAt(url: string): Promise<SharedCache & Pick<Redis, "close">> {
  const redis = (await connectRedis(url, systemClock, silent)) ?? assert.fail("an address makes a connection");
  return { ...createSharedCache(redis), close: () => redis.close() };
}

/** Writes until the connection is ready. */
async function writeWhenConnected(cache: SharedCache, name: string, text: string): Promise<void> {
  const deadlineMs = Date.now() + 20_000;
  while ((await cache.read(name))?.text !== text) {
    assert.ok(Date.now() < deadlineMs, "no connection");
    await cache.write(name, text, 60_000);
    await wait(20);
  }
}

/** A late answer of a busy machine counts as none and starts the pause. */
async function readWhenThere(cache: SharedCache, name: string) {
  const deadlineMs = Date.now() + 20_000;
  for (;;) {
    const found = await cache.read(name);
    if (found !== undefined) return found;
    assert.ok(Date.now() < deadlineMs, `"${name}" is never there`);
    await wait(20);
  }
}

describe("the shared cache", () => {
  it("stores a text for all servers until it expires", async () => {
    const redis = await startTestRedis();
    const [one, two] = [await cacheAt(redis.url), await cacheAt(redis.url)];
    try {
      await writeWhenConnected(one, "name", "text");
      await writeWhenConnected(two, "other", "more");
      const found = await readWhenThere(two, "name");
      assert.equal(found.text, "text");
      assert.ok(found.leftMs > 0 && found.leftMs <= 60_000);
      assert.equal(await two.read("nothing"), undefined);
      await one.write("name", "brief", 1);
      const deadlineMs = Date.now() + 20_000;
      while ((await two.read("name")) !== undefined) assert.ok(Date.now() < deadlineMs, "it never goes");
    } finally {
      one.close();
      two.close();
      await redis.close();
    }
  });

  it("is empty without a server, also when it disappears", async () => {
    const redis = await startTestRedis();
    const cache = await cacheAt(redis.url);
    try {
      await writeWhenConnected(cache, "name", "text");
      await redis.close();
      assert.equal(await cache.read("name"), undefined);
      await cache.write("name", "text", 1_000);
    } finally {
      cache.close();
    }
    const nobody = await cacheAt("redis://127.0.0.1:1");
    assert.equal(await nobody.read("name"), undefined);
    await nobody.write("name", "text", 1_000);
    nobody.close();
  });

  it("is not asked for a while after a timeout", async () => {
    let questions = 0;
    const server = createServer((socket) => {
      socket.on("error", () => socket.destroy());
      socket.on("data", (chunk) => {
        const text = chunk.toString();
        questions += text.split("GET").length - 1;
        // Answers the greeting only.
        if (!text.includes("GET")) socket.write("+OK\r\n".repeat(text.split("*").length - 1));
      });
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = z.object({ port: z.number() }).parse(server.address());
    const cache = await cacheAt(`redis://127.0.0.1:${port}`);
    try {
      const deadlineMs = Date.now() + 20_000;
      while (questions === 0) {
        assert.ok(Date.now() < deadlineMs, "no connection");
        assert.equal(await cache.read("name"), undefined);
        await wait(20);
      }
      for (let again = 0; again < 20; again += 1) assert.equal(await cache.read("name"), undefined);
      assert.equal(questions, 1);
    } finally {
      cache.close();
      server.close();
    }
  });
});
