import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import type { StubServer } from "@one-api/stub-server/start-stub-server";
import { APIError, toFile } from "openai";
import { z } from "zod";
import { errorOf, type RelayTest, startRelayTest } from "../../testing/start-relay-test.ts";

const MODELS = "tts-1,tts-1-hd,gpt-4o-mini-tts,whisper-1,gpt-4o-transcribe,my-ears,my-voice";

let gateway: RelayTest;
let upstream: StubServer;

before(async () => {
  gateway = await startRelayTest();
  upstream = await gateway.upstream();
  await gateway.addChannel(upstream, { models: MODELS, model_mapping: '{"my-ears":"whisper-1"}' });
});
after(() => gateway.close());
beforeEach(() => {
  upstream.setBehaviour({ kind: "normal" });
  upstream.clearRequests();
  gateway.testApp.deps.relay.health.forget(1);
});

/** A WAV file: 8 kHz, 8 bits, one channel. */
function recording(seconds: number): Buffer {
  const bytes = Math.round(seconds * 8_000);
  const file = Buffer.alloc(44 + bytes, 128);
  file.write("RIFF", 0, "latin1");
  file.writeUInt32LE(36 + bytes, 4);
  file.write("WAVEfmt ", 8, "latin1");
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(8_000, 24);
  file.writeUInt32LE(8_000, 28);
  file.writeUInt16LE(1, 32);
  file.writeUInt16LE(8, 34);
  file.write("data", 36, "latin1");
  file.writeUInt32LE(bytes, 40);
  return file;
}

const wav = (seconds: number) => toFile(recording(seconds), "talk.wav", { type: "audio/wav" });
const TEXT = "a text of forty characters, no more here";
const SPEECH = { model: "tts-1", voice: "alloy", input: TEXT } as const;

describe("speech", () => {
  it("is sent as bytes, and is charged by its characters", async () => {
    const sdk = gateway.sdk(await gateway.addToken());
    const answer = await sdk.audio.speech.create(SPEECH);
    assert.equal(answer.headers.get("content-type"), "audio/mpeg");
    assert.equal((await answer.arrayBuffer()).byteLength, 4 * 8_000);
    const log = await gateway.lastLog();
    assert.deepEqual([log.quota, log.result], [300, "ok"]);
    assert.match(log.detail, /\["character",40,1\]/);
    await sdk.audio.speech.create({ ...SPEECH, input: "四个汉字", response_format: "opus" });
    assert.equal((await gateway.lastLog()).quota, 30);
    await sdk.audio.speech.create({ ...SPEECH, model: "my-voice" });
    assert.equal((await gateway.lastLog()).quota, 40 * 30);
  });

  it("is charged by tokens if the model is: as reported, or by length", async () => {
    const sdk = gateway.sdk(await gateway.addToken());
    const request = { ...SPEECH, model: "gpt-4o-mini-tts" };
    const events = await (await sdk.audio.speech.create({ ...request, stream_format: "sse" })).text();
    assert.match(events, /speech\.audio\.done","usage":\{"input_tokens":8,"output_tokens":80/);
    // $0.6 and $12 a million.
    assert.equal((await gateway.lastLog()).quota, Math.ceil((8 * 0.6 + 80 * 12) / 2));
    await (await sdk.audio.speech.create(request)).arrayBuffer();
    const log = await gateway.lastLog();
    // Four seconds at 1,250 tokens a minute.
    assert.deepEqual([log.prompt_tokens, log.completion_tokens], [10, 84]);
    assert.match(log.detail, /"rule":"estimated"/);
  });

  it("that is interrupted costs the delivered text, and contains no error", async () => {
    const key = await gateway.addToken();
    upstream.setBehaviour({ kind: "cut", afterChunks: 3 });
    const answer = await gateway.post("/v1/audio/speech", key, { ...SPEECH, input: TEXT.repeat(20) });
    assert.equal(answer.status, 200);
    await assert.rejects(answer.arrayBuffer());
    const log = await gateway.lastLog();
    // 1,024 bytes of three seconds were delayed; the fastest speech has 25 characters a second.
    const characters = Math.ceil(((3 * 8_000 - 1_024) / 8_000) * 25);
    assert.deepEqual([log.result, log.quota], ["cut", Math.ceil(characters * 7.5)]);
    upstream.setBehaviour({ kind: "cut", afterChunks: 2 });
    await assert.rejects(
      gateway.post("/v1/audio/speech", key, { ...SPEECH, response_format: "aac" }).then((each) => each.arrayBuffer()),
    );
    assert.equal((await gateway.lastLog()).quota, 300, "the whole text counts if the length is unknown");
  });

  it("whose caller disconnects is charged", async () => {
    const key = await gateway.addToken();
    upstream.setBehaviour({ kind: "normal", chunkDelayMs: 20 });
    const leaving = new AbortController();
    const answer = await fetch(`${gateway.url}/v1/audio/speech`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ ...SPEECH, input: TEXT.repeat(20) }),
      signal: leaving.signal,
    });
    const reader = answer.body?.getReader();
    await reader?.read();
    leaving.abort();
    await reader?.cancel().catch(() => undefined);
    const log = await gateway.lastLog();
    assert.equal(log.result, "caller-gone");
    assert.ok(log.quota >= Math.ceil(25 * 7.5), String(log.quota));
  });

  it("that fails costs nothing: an empty answer, an error, a text that is too long", async () => {
    const sdk = gateway.sdk(await gateway.addToken({ remain_quota: 1_000 }));
    for (const behaviour of [
      { kind: "normal", pieces: 0 },
      { kind: "refuse", status: 500 },
      { kind: "malformed", fault: "html-body" },
    ] as const) {
      upstream.setBehaviour(behaviour);
      await assert.rejects(sdk.audio.speech.create(SPEECH), APIError);
      assert.equal((await gateway.lastLog()).quota, 0);
      gateway.testApp.deps.relay.health.forget(1);
    }
    const refused = async (more: object) => {
      const body = { ...SPEECH, ...more };
      const answer = await gateway.post("/v1/audio/speech", sdk.apiKey ?? "", body);
      return [answer.status, (await errorOf(answer)).code];
    };
    upstream.clearRequests();
    assert.deepEqual(await refused({ input: "x".repeat(4_097) }), [400, "text_too_long"]);
    assert.deepEqual(await refused({ input: "" }), [400, "invalid_value"]);
    assert.deepEqual(await refused({ speed: 0 }), [400, "invalid_value"]);
    assert.deepEqual(await refused({ input: "x".repeat(4_096) }), [403, "insufficient_quota"]);
    assert.equal(upstream.requests.length, 0);
  });
});

describe("recordings", () => {
  it("are transcribed in every format, and charged by the second", async () => {
    const sdk = gateway.sdk(await gateway.addToken());
    const file = await wav(12.4);
    const json = await sdk.audio.transcriptions.create({ model: "whisper-1", file });
    assert.equal(json.text, "12.4 seconds of silence");
    assert.equal((await gateway.lastLog()).quota, 13 * 50);
    const verbose = await sdk.audio.transcriptions.create({ model: "my-ears", file, response_format: "verbose_json" });
    assert.equal(verbose.duration, 12.4);
    assert.deepEqual(upstream.requests.at(-1)?.body, {
      model: "whisper-1",
      response_format: "verbose_json",
      file: { name: "talk.wav", bytes: 44 + 99_200, type: "audio/wav" },
    });
    assert.equal((await gateway.lastLog()).quota, 13 * 50);
    for (const response_format of ["text", "srt", "vtt"] as const) {
      const text = await sdk.audio.transcriptions.create({ model: "whisper-1", file, response_format });
      assert.match(text, /12\.4 seconds of silence/);
      assert.equal((await gateway.lastLog()).quota, 13 * 50, response_format);
    }
    const translated = await sdk.audio.translations.create({ model: "whisper-1", file });
    assert.equal(translated.text, "12.4 seconds of silence");
    assert.equal((await gateway.lastLog()).quota, 13 * 50);
  });

  it("are charged by tokens if the model is, streamed or not", async () => {
    const sdk = gateway.sdk(await gateway.addToken());
    const request = { model: "gpt-4o-transcribe", file: await wav(3) };
    await sdk.audio.transcriptions.create(request);
    // Per million: $2.5 text, $6 audio input, $10 output.
    const quota = Math.ceil((1 * 2.5 + 30 * 6 + 4 * 10) / 2);
    assert.equal((await gateway.lastLog()).quota, quota);
    let text = "";
    for await (const event of await sdk.audio.transcriptions.create({ ...request, stream: true })) {
      if (event.type === "transcript.text.delta") text += event.delta;
    }
    assert.equal(text, "3 seconds of silence");
    assert.equal((await gateway.lastLog()).quota, quota);
    upstream.setBehaviour({ kind: "cut", afterChunks: 2 });
    await assert.rejects(async () => {
      for await (const event of await sdk.audio.transcriptions.create({ ...request, stream: true }))
        assert.ok(event.type);
    }, APIError);
    const log = await gateway.lastLog();
    assert.equal(log.result, "cut");
    assert.equal(log.detail.includes('["audio-input",30,2.4],["output",3,4]'), true, log.detail);
  });

  it("that a model does not stream are answered whole", async () => {
    const key = await gateway.addToken();
    const form = new FormData();
    form.set("file", new File([new Uint8Array(recording(1))], "a.wav", { type: "audio/wav" }));
    form.set("stream", "true");
    const answer = await fetch(`${gateway.url}/v1/audio/transcriptions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}` },
      body: form,
    });
    assert.deepEqual([answer.status, answer.headers.get("content-type")], [200, "application/json"]);
    assert.equal(z.object({ text: z.string() }).parse(await answer.json()).text, "1 seconds of silence");
    assert.equal((await gateway.lastLog()).model_name, "whisper-1");
  });

  it("that are short cost the provider's minimum of seconds", async () => {
    await gateway.addChannel(upstream, { type: 29, models: "whisper-large-v3" });
    const transcribe = async (seconds: number, quota: number) => {
      const sdk = gateway.sdk(await gateway.addToken({ remain_quota: quota }));
      return await sdk.audio.transcriptions.create({ model: "whisper-large-v3", file: await wav(seconds) });
    };
    // $0.111 an hour.
    const costOf = (seconds: number) => Math.ceil(((seconds * 0.111) / 3_600) * 500_000);
    await assert.rejects(transcribe(2, 100), /quota/, "the minimum is ten seconds");
    await transcribe(2, 1_000);
    assert.equal((await gateway.lastLog()).quota, costOf(10));
    await transcribe(20, 1_000);
    assert.equal((await gateway.lastLog()).quota, costOf(20));
  });

  it("are charged by their real length", async () => {
    const sdk = gateway.sdk(await gateway.addToken());
    // The header declares one second of ten minutes.
    const short = recording(600);
    short.writeUInt32LE(8_000, 40);
    const file = await toFile(short, "talk.wav", { type: "audio/wav" });
    await sdk.audio.transcriptions.create({ model: "whisper-1", file });
    assert.equal((await gateway.lastLog()).quota, 600 * 50, "as the provider reports");
    upstream.setBehaviour({ kind: "normal", text: "word ".repeat(1_000) });
    await sdk.audio.transcriptions.create({ model: "whisper-1", file, response_format: "text" });
    assert.ok((await gateway.lastLog()).quota >= 200 * 50, "1,000 words need more than a second");
    const poor = gateway.sdk(await gateway.addToken({ remain_quota: 599 * 50 }));
    const called = upstream.requests.length;
    await assert.rejects(poor.audio.transcriptions.create({ model: "whisper-1", file }), /quota/);
    assert.equal(upstream.requests.length, called, "no provider is called without quota");
  });

  it("are refused before they cost anything", async () => {
    const key = await gateway.addToken({ remain_quota: 1_000 });
    const send = async (fill: (form: FormData) => void) => {
      const form = new FormData();
      form.set("model", "whisper-1");
      form.set("file", new File([new Uint8Array(recording(5))], "a.wav"));
      fill(form);
      const answer = await fetch(`${gateway.url}/v1/audio/transcriptions`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}` },
        body: form,
      });
      return answer.status === 200 ? [200] : [answer.status, (await errorOf(answer)).code];
    };
    assert.deepEqual(await send((form) => form.append("model", "my-ears")), [400, "invalid_form"]);
    assert.deepEqual(await send((form) => form.append("Model", "my-ears")), [400, "invalid_form"]);
    assert.deepEqual(await send((form) => form.append("model[]", "my-ears")), [400, "invalid_form"]);
    assert.deepEqual(await send((form) => form.delete("file")), [400, "invalid_value"]);
    assert.deepEqual(await send((form) => form.set("file", "text")), [400, "invalid_value"]);
    assert.deepEqual(await send((form) => form.set("response_format", "pdf")), [400, "invalid_value"]);
    const long = new File([new Uint8Array(recording(60))], "a.wav");
    assert.deepEqual(await send((form) => form.set("file", long)), [403, "insufficient_quota"]);
    assert.equal(upstream.requests.length, 0);
    const plain = await gateway.post("/v1/audio/transcriptions", key, { model: "whisper-1" });
    assert.deepEqual([plain.status, (await errorOf(plain)).code], [400, "invalid_form"]);
    assert.deepEqual(await send(() => undefined), [200]);
    assert.equal((await gateway.lastLog()).quota, 5 * 50);
  });
});
