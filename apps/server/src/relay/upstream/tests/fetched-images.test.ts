import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { StubServer } from "@one-api/stub-server/start-stub-server";
import { type RawUpstream, startRawUpstream } from "../../../testing/servers/start-raw-upstream.ts";
import { CHAT, errorOf, type RelayTest, startRelayTest } from "../../../testing/start-relay-test.ts";
import { setOptions } from "../../../testing/set-options.ts";

const PIXEL: Buffer = Buffer.from("a red pixel");

describe("pictures that a caller names by their address", () => {
  let inside: RelayTest;
  let outside: RelayTest;
  let models: StubServer;
  let place: RawUpstream;
  let leading: RawUpstream;
  let fetched = 0;
  let picture = PIXEL;
  before(async () => {
    inside = await startRelayTest({ environment: { ALLOWED_PRIVATE_NETWORKS: "127.0.0.1" } });
    outside = await startRelayTest();
    models = await inside.upstream();
    for (const gateway of [inside, outside]) await gateway.addChannel(models, { type: 30, models: "llava" });
    place = await startRawUpstream((response) => {
      fetched += 1;
      response.writeHead(200, { "content-type": "image/png" }).end(picture);
    });
    leading = await startRawUpstream((response) => {
      const onward = new URL(place.url);
      onward.hostname = "[::1]";
      response.writeHead(302, { location: onward.href }).end();
    });
  });
  after(async () => {
    await Promise.all([inside.close(), outside.close(), place.close(), leading.close()]);
  });

  const ask = async (gateway: RelayTest, url: string, times = 1) => {
    const content = Array.from({ length: times }, () => ({ type: "image_url", image_url: { url } }));
    const key = await gateway.addToken();
    return gateway.post(CHAT, key, { model: "llava", max_tokens: 10, messages: [{ role: "user", content }] });
  };

  it("[TLIMIT-29] are fetched from public addresses alone, however these are spelt", async () => {
    const { port } = new URL(place.url);
    const hosts = ["127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "2130706433", "0x7f.1", "127.0.0.1.", "0"];
    const elsewhere = ["http://169.254.169.254/latest", "file:///etc/passwd", "http://user@1.1.1.1/", "ftp://1.1.1.1/"];
    for (const url of [...hosts.map((host) => `http://${host}:${port}/picture.png`), ...elsewhere]) {
      const answer = await ask(outside, url);
      const told = await answer.text();
      assert.equal(answer.status, 400, `${url}: ${told}`);
      assert.ok(!told.includes(PIXEL.toString()), told);
    }
    assert.equal(fetched, 0);
    assert.equal(models.requests.filter(({ path }) => path === "/api/chat").length, 0);
    assert.equal((await outside.books()).charged, 0);
  });

  it("[TLIMIT-30] may be in the networks of ALLOWED_PRIVATE_NETWORKS, and nowhere that these lead on to", async () => {
    const answer = await ask(inside, `${place.url}/picture.png`);
    assert.equal(answer.status, 200);
    assert.match(models.requests.at(-1)?.bodyText ?? "", new RegExp(`"images":\\["${PIXEL.toString("base64")}"\\]`));
    picture = Buffer.alloc(21 * 1024 * 1024);
    const large = await ask(inside, `${place.url}/picture.png`);
    assert.match((await errorOf(large)).message, /larger than 20 MiB/);
    const fetchedSince = fetched;
    const led = await ask(inside, `${leading.url}/picture.png`);
    assert.deepEqual([led.status, (await errorOf(led)).code], [400, "invalid_image_url"]);
    assert.equal(fetched, fetchedSince);
  });

  it("are part of the body that they are fetched for, and no more of them are fetched than it may hold", async () => {
    await setOptions(inside.testApp, { ModelRatio: '{"llava":0.001}' });
    const callsBefore = models.requests.length;
    for (const [bytes, most] of [
      [12 * 1024 * 1024, 3],
      [10, 512],
    ] as const) {
      picture = Buffer.alloc(bytes);
      const fetchedBefore = fetched;
      const answer = await ask(inside, `${place.url}/picture.png`, 600);
      const { code, message } = await errorOf(answer);
      assert.deepEqual([answer.status, code], [413, "body_too_large"]);
      assert.match(message, /with the pictures/);
      assert.ok(fetched - fetchedBefore <= most, `${fetched - fetchedBefore} fetched`);
    }
    assert.equal(models.requests.length, callsBefore);
    picture = PIXEL;
    assert.equal((await ask(inside, `${place.url}/picture.png`, 3)).status, 200);
  });

  it("count once where another channel is tried, for which they are fetched again", async (t) => {
    const failing = await inside.upstream();
    failing.setBehaviour({ kind: "refuse", status: 500 });
    await inside.addChannel(failing, { type: 30, models: "llava", priority: 1 });
    await setOptions(inside.testApp, { RetryTimes: "1" });
    picture = Buffer.alloc(17 * 1024 * 1024);
    t.after(() => (picture = PIXEL));
    const fetchedBefore = fetched;
    const answer = await ask(inside, `${place.url}/picture.png`);
    assert.equal(answer.status, 200, await answer.text());
    assert.deepEqual([fetched - fetchedBefore, failing.requests.length], [2, 1]);
  });
});
