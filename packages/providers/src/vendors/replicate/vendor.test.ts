import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ChannelConnection } from "@one-api/contract/channels/channel-connection";
import { ProviderFailedError } from "../../failure.ts";
import type { ProviderIo, ProviderQuestion } from "../../provider-io.ts";
import { silentIo } from "../../testing/silent-io.ts";
import { replicate } from "./vendor.ts";

const connection: ChannelConnection = { baseUrl: "", key: "r8_test", organization: "", other: "", config: {} };
const request = { body: Buffer.from('{"input":{"prompt":"hello"}}'), stream: true, formatHeaders: {} };
const API = "https://api.replicate.com/v1";

async function call(model: string, prediction: object, status = 201) {
  const asked: ProviderQuestion[] = [];
  const io: ProviderIo = {
    ...silentIo,
    ask(question) {
      asked.push(question);
      return Promise.resolve({ status, headers: {}, text: JSON.stringify(prediction) });
    },
  };
  const made = replicate(46).serve("chat-completions", model)?.call(request, connection, io);
  try {
    return { asked, made: await made, failure: undefined };
  } catch (error) {
    assert.ok(error instanceof ProviderFailedError, String(error));
    return { asked, made: undefined, failure: error.failure };
  }
}

const MODEL = "meta/meta-llama-3-8b-instruct";
const VERSION = `${MODEL}:${"0a".repeat(32)}`;
const running = (stream?: string) => ({
  id: "p1",
  status: "starting",
  urls: { stream, cancel: "https://evil.example" },
});

describe("a prediction of Replicate", () => {
  it("is created by model name or version, and its stream's host receives no key", async () => {
    const { asked, made } = await call(MODEL, running("https://stream.replicate.com/x"));
    assert.equal(asked[0]?.url, `${API}/models/${MODEL}/predictions`);
    assert.equal(asked[0]?.headers.authorization, "Bearer r8_test");
    assert.deepEqual(
      [made?.method, made?.address],
      ["GET", { url: "https://stream.replicate.com/x", headers: { accept: "text/event-stream" } }],
    );
    const own = await call(VERSION, running(`${API}/x`));
    assert.equal(own.asked[0]?.url, `${API}/predictions`);
    assert.deepEqual(JSON.parse(String(own.asked[0]?.body)), { input: { prompt: "hello" }, version: VERSION });
    assert.equal(own.made?.address.headers.authorization, "Bearer r8_test");
  });

  it("is cancelled at the channel's own address after a disconnect", async () => {
    const { asked, made } = await call(MODEL, running("https://stream.replicate.com/x"));
    made?.giveUp?.();
    assert.deepEqual([asked[1]?.method, asked[1]?.url], ["POST", `${API}/predictions/p1/cancel`]);
  });

  it("that cannot be read as a stream is cancelled and refused", async () => {
    for (const stream of [undefined, "http://10.0.0.1/x", "no address"]) {
      const { asked, failure } = await call(MODEL, running(stream));
      assert.equal(failure?.kind, stream === undefined ? "bad-request" : "bad-answer");
      assert.match(asked[1]?.url ?? "", /\/p1\/cancel$/);
    }
    const failed = await call(MODEL, { ...running("https://h.example/x"), status: "failed", error: "no memory" });
    assert.deepEqual([failed.failure?.kind, failed.failure?.message], ["server-error", "no memory"]);
  });

  it("is not created for an invalid name, or when refused", async () => {
    for (const model of ["gpt-4o", "../../account", "a/../b", "a/b/c", "a/b:latest"]) {
      const { asked, failure } = await call(model, running());
      assert.deepEqual([asked.length, failure?.kind], [0, "unknown-model"], model);
    }
    const { failure } = await call(MODEL, { title: "Insufficient credit", detail: "Top up", status: 402 }, 402);
    assert.equal(failure?.kind, "out-of-credit");
  });
});
