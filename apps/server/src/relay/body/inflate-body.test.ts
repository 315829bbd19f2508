import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { z } from "zod";
import { CHAT, chatBody, errorOf } from "../../testing/start-relay-test.ts";
import { withGateway } from "../../testing/with-gateway.ts";

const MEBIBYTE = 1024 * 1024;

describe("a compressed body", () => {
  const stage = withGateway([{}]);

  const send = (packed: Buffer, { path = CHAT, encoding = "gzip", inPieces = false } = {}) => {
    const body = inPieces ? new Blob([packed]).stream() : packed;
    return fetch(stage.gateway.url + path, {
      method: "POST",
      headers: {
        authorization: `Bearer ${stage.key}`,
        "content-type": "application/json",
        "content-encoding": encoding,
      },
      body,
      ...(inPieces ? { duplex: "half" } : {}),
    });
  };
  const packedChat = (content: string) => gzipSync(JSON.stringify(chatBody(content)));

  it("is read and forwarded decompressed", async () => {
    for (const encoding of ["gzip", "x-gzip", "GZIP"]) {
      const answer = await send(packedChat("hello"), { encoding });
      assert.equal(answer.status, 200, await answer.text());
    }
    const [sent] = stage.upstream.requests;
    assert.equal(sent?.headers["content-encoding"], undefined);
    assert.deepEqual(sent?.body, chatBody("hello"));
    const plain = await send(Buffer.from(JSON.stringify(chatBody("x"))), { encoding: "identity" });
    assert.equal(plain.status, 200, await plain.text());
  });

  it("has the token count of the plain body in every API", async () => {
    const text = Array.from({ length: 2_000 }, (_, at) => `word${at}`).join(" ");
    const { model } = z.object({ model: z.string() }).parse(chatBody(""));
    const counts = [
      { path: "/v1/messages/count_tokens", body: { model, messages: [{ role: "user", content: text }] } },
      { path: `/v1beta/models/${model}:countTokens`, body: { contents: [{ role: "user", parts: [{ text }] }] } },
    ];
    for (const { path, body } of counts) {
      const plain = await send(Buffer.from(JSON.stringify(body)), { path, encoding: "identity" });
      assert.equal(plain.status, 200);
      const count = await plain.text();
      for (const inPieces of [false, true]) {
        const packed = await send(gzipSync(JSON.stringify(body)), { path, inPieces });
        assert.deepEqual([packed.status, await packed.text()], [200, count], path);
      }
      const other = await send(brotliCompressSync(JSON.stringify(body)), { path, encoding: "br" });
      assert.deepEqual([other.status, other.headers.get("accept-encoding")], [415, "gzip"], path);
      assert.equal((await send(Buffer.from("{}"), { path })).status, 400);
    }
  });

  it("may be long and arrive in pieces", async () => {
    const long = packedChat(Array.from({ length: 200_000 }, (_, at) => `word${at}`).join(" "));
    for (const inPieces of [false, true]) {
      const answer = await send(long, { inPieces });
      assert.equal(answer.status, 200, await answer.text());
    }
  });

  it("is limited by its decompressed size, and releases its memory", async () => {
    const bomb = gzipSync(Buffer.alloc(128 * MEBIBYTE, " "));
    for (const inPieces of [false, true]) {
      const answer = await send(bomb, { inPieces });
      assert.deepEqual([answer.status, (await errorOf(answer)).code], [413, "body_too_large"]);
    }
    // The budget fits a few of the largest bodies: bytes that are not released exhaust it.
    for (let count = 0; count < 8; count += 1) assert.equal((await send(bomb)).status, 413);
    const after = await send(packedChat("hello"));
    assert.equal(after.status, 200, await after.text());
  });

  it("is refused if it is damaged or has another encoding", async () => {
    const whole = packedChat("hello");
    for (const broken of [whole.subarray(0, -9), Buffer.from("{}"), Buffer.alloc(0)]) {
      const answer = await send(broken);
      assert.deepEqual([answer.status, (await errorOf(answer)).code], [400, "invalid_gzip"]);
    }
    for (const encoding of ["br", "deflate", "gzip, gzip"]) {
      const answer = await send(brotliCompressSync(JSON.stringify(chatBody("x"))), { encoding });
      const { code, message } = await errorOf(answer);
      assert.deepEqual(
        [answer.status, code, answer.headers.get("accept-encoding")],
        [415, "unsupported_encoding", "gzip"],
      );
      assert.match(message, new RegExp(`gzip, not ${encoding}`));
    }
    assert.equal(stage.upstream.requests.length, 0);
  });
});
