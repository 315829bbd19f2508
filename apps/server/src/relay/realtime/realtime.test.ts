import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { updateToken } from "@one-api/contract/token";
import { TOKEN_STATUS } from "@one-api/contract/token-constants";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import { recordOf } from "@one-api/providers/shared/json-fields";
import OpenAI from "openai";
import { OpenAIRealtimeWS } from "openai/realtime/ws";
import {
  openSession,
  PlainAgent,
  type Session,
  type SessionEvent,
  SessionRefused,
} from "../../testing/open-session.ts";
import { setOptions } from "../../testing/set-options.ts";
import { withGateway } from "../../testing/with-gateway.ts";
import { withSessions } from "../../testing/with-sessions.ts";
import { endRevoked } from "../in-flight/index.ts";
import { RelayError } from "../errors/index.ts";

const MODELS = "gpt-realtime,gpt-4o-transcribe,whisper-1";
const TEXT = { output_modalities: ["text"] };

/** Quota of gpt-realtime's tokens: text input 2, text output 8, audio input 16, audio output 32. */
const charge = (input: number, output: number, audioInput = 0, audioOutput = 0): number =>
  2 * input + 8 * output + 16 * audioInput + 32 * audioOutput;

const textOf = (done: SessionEvent): unknown => {
  const [item] = [recordOf(done["response"])["output"]].flat();
  const [part] = [recordOf(item)["content"]].flat();
  return recordOf(part)["text"];
};
const statusOf = (done: SessionEvent): unknown => recordOf(done["response"])["status"];
const codeOf = (event: SessionEvent): unknown => recordOf(event["error"])["code"];

for (const kind of DATABASE_KINDS) {
  describe(`a realtime session, on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    const stage = withGateway([{ models: MODELS }], { kind });
    const { keep, idle, logged, rowsOf } = withSessions(stage);
    const open = async (token: string, options: Parameters<typeof openSession>[2] = {}): Promise<Session> =>
      keep(await openSession(stage.gateway.url, token, options));

    it("answers in text, and charges each answer before its end is sent", async () => {
      const known = await logged();
      const session = await open(stage.key);
      assert.equal(recordOf((await session.next("session.created"))["session"])["model"], "gpt-realtime");
      assert.equal(textOf(await session.ask("hello there")), "You said: hello there");
      const first = (await stage.gateway.books()).logs.slice(known);
      assert.deepEqual(
        first.map(({ quota, prompt_tokens, completion_tokens, result }) => [
          quota,
          prompt_tokens,
          completion_tokens,
          result,
        ]),
        [[charge(2, 4), 2, 4, "ok"]],
      );
      assert.equal(textOf(await session.ask("again")), "You said: again");
      const rows = await rowsOf(session, known);
      assert.deepEqual(
        rows.map(({ quota, model_name }) => [quota, model_name]),
        [
          [charge(2, 4), "gpt-realtime"],
          [charge(7, 3), "gpt-realtime"],
        ],
      );
    });

    it("of an alias is opened at the first of its models that answers, and charged as that one", async (context) => {
      context.after(() => setOptions(stage.gateway.testApp, { ModelAliases: "" }));
      const aliases = { talk: ["gpt-4o-realtime-preview", "gpt-realtime"] };
      await setOptions(stage.gateway.testApp, { ModelAliases: JSON.stringify(aliases) });
      const known = await logged();
      const bad = await stage.gateway.upstream();
      await stage.gateway.addChannel(bad, { name: "bad", models: "gpt-4o-realtime-preview" });
      bad.setBehaviour({ kind: "refuse", status: 500 });
      const session = await open(stage.key, { model: "talk" });
      assert.equal(recordOf((await session.next("session.created"))["session"])["model"], "gpt-realtime");
      session.send({ type: "session.update", session: { type: "realtime", model: "talk", ...TEXT } });
      assert.equal(textOf(await session.ask("hello there")), "You said: hello there");
      const [row] = await rowsOf(session, known);
      assert.deepEqual([row?.quota, row?.model_name], [charge(2, 4), "gpt-realtime"]);
      const detail = recordOf(JSON.parse(row?.detail ?? ""));
      assert.equal(detail["alias"], "talk");
      const limited = await stage.gateway.addToken({ name: "limited", models: "whisper-1" });
      await assert.rejects(openSession(stage.gateway.url, limited, { model: "talk" }), SessionRefused);
    });

    it("answers to speech with speech, counts both by kind, and charges the transcript", async () => {
      const known = await logged();
      const session = await open(stage.key);
      const transcription = { model: "gpt-4o-transcribe" };
      session.send({ type: "session.update", session: { type: "realtime", audio: { input: { transcription } } } });
      await session.next("session.updated");
      const second = (byte: number) => Buffer.alloc(48_000, byte).toString("base64");
      session.send({ type: "input_audio_buffer.append", audio: second(1) });
      session.send({ type: "input_audio_buffer.append", audio: second(0) });
      await session.next("response.done");
      const spoken = session.events.filter(({ type }) => type === "response.output_audio.delta");
      const rows = await rowsOf(session, known);
      const answer = rows.find(({ model_name }) => model_name === "gpt-realtime");
      const transcript = rows.find(({ model_name }) => model_name === "gpt-4o-transcribe");
      assert.equal(rows.length, 2);
      assert.equal(answer?.quota, charge(0, spoken.length, 20, spoken.length * 2));
      // 20 audio input tokens at 3 quota, 4 output tokens at 5.
      assert.equal(transcript?.quota, 20 * 3 + 4 * 5);
    });

    it("charges a transcript by the second if its model is priced so", async () => {
      const known = await logged();
      const session = await open(stage.key);
      const input = { transcription: { model: "whisper-1" }, turn_detection: null };
      session.send({ type: "session.update", session: { type: "realtime", audio: { input } } });
      session.send({ type: "input_audio_buffer.append", audio: Buffer.alloc(144_000, 1).toString("base64") });
      session.send({ type: "input_audio_buffer.commit" });
      await session.next("conversation.item.input_audio_transcription.completed");
      const rows = await rowsOf(session, known);
      // $0.006 a minute: 50 quota a second.
      assert.deepEqual(
        rows.map(({ model_name, quota }) => [model_name, quota]),
        [["whisper-1", 150]],
      );
    });

    it("forwards tool calls and their results", async () => {
      stage.upstream.setBehaviour({ kind: "normal", callTool: true });
      const session = await open(stage.key);
      const tools = [{ type: "function", name: "look", parameters: { type: "object" } }];
      const done = await session.ask("look", { ...TEXT, tools });
      const [item] = [recordOf(done["response"])["output"]].flat();
      assert.equal(recordOf(item)["name"], "look");
      stage.upstream.setBehaviour({ kind: "normal" });
      const output = { type: "function_call_output", call_id: recordOf(item)["call_id"], output: "sunny" };
      const from = session.events.length;
      session.send({ type: "conversation.item.create", item: output });
      session.send({ type: "response.create", response: TEXT });
      assert.equal(textOf(await session.next("response.done", from)), "You said: sunny");
      await rowsOf(session, 0);
    });

    it("charges a cancelled answer as reported", async () => {
      const known = await logged();
      stage.upstream.setBehaviour({ kind: "endless" });
      const session = await open(stage.key);
      session.send({ type: "response.create", response: TEXT });
      await session.next("response.output_text.delta");
      session.send({ type: "response.cancel" });
      const done = await session.next("response.done");
      assert.equal(statusOf(done), "cancelled");
      const { output_tokens: pieces } = recordOf(recordOf(done["response"])["usage"]);
      const rows = await rowsOf(session, known);
      assert.deepEqual(
        rows.map(({ quota, completion_tokens, result }) => [quota, completion_tokens, result]),
        [[charge(0, Number(pieces)), pieces, "ok"]],
      );
    });

    it("serves two callers at once, and two answers of one session", async () => {
      const known = await logged();
      const sessions = await Promise.all([open(stage.key), open(stage.key)]);
      const texts = await Promise.all(sessions.map((session, index) => session.ask(`caller ${index}`)));
      assert.deepEqual(texts.map(textOf), ["You said: caller 0", "You said: caller 1"]);
      const [first, second] = sessions;
      stage.upstream.setBehaviour({ kind: "normal", chunkDelayMs: 5 });
      const from = first.events.length;
      for (let count = 0; count < 3; count += 1)
        first.send({ type: "response.create", response: { ...TEXT, conversation: "none" } });
      const ends = () => first.events.slice(from).filter(({ type }) => type === "response.done").length;
      await first.next(() => ends() === 3, from);
      second.socket.close();
      const rows = await rowsOf(first, known);
      assert.deepEqual([rows.length, rows.every(({ quota }) => quota > 0)], [5, true]);
    });

    it("works with the official SDK, at the stub and through the gateway", async () => {
      for (const [url, apiKey] of [
        [stage.upstream.at("openai"), "sk-upstream"],
        [stage.gateway.url, stage.key],
      ] as const) {
        const client = new OpenAI({ apiKey, baseURL: `${url}/v1` });
        const sdk = new OpenAIRealtimeWS({ model: "gpt-realtime", options: { agent: new PlainAgent() } }, client);
        const text = await new Promise<string>((resolve, reject) => {
          let said = "";
          sdk.on("error", reject);
          sdk.on("response.output_text.delta", ({ delta }) => (said += delta));
          sdk.on("response.done", () => resolve(said));
          sdk.socket.on("open", () => {
            const content = [{ type: "input_text" as const, text: "from the SDK" }];
            sdk.send({ type: "conversation.item.create", item: { type: "message", role: "user", content } });
            sdk.send({ type: "response.create", response: { output_modalities: ["text"] } });
          });
        });
        sdk.close();
        assert.equal(text, "You said: from the SDK");
      }
    });

    it("accepts a browser's key in the subprotocols, never echoes it, and forwards the beta version", async () => {
      const bare = stage.key.replace(/^sk-/, "");
      const protocols = ["realtime", `openai-insecure-api-key.${bare}`, "openai-beta.realtime-v1"];
      const session = await open("", { protocols });
      assert.equal(session.socket.protocol, "realtime");
      await session.next("session.created");
      const record = stage.upstream.requests.at(-1);
      assert.equal(record?.headers["openai-beta"], "realtime=v1");
      assert.equal(record?.headers["sec-websocket-protocol"], undefined);
      assert.equal(record?.headers.authorization, "Bearer sk-upstream");
      const known = await logged();
      await session.ask("in the beta's words", { modalities: ["text"] });
      assert.ok(session.events.some(({ type }) => type === "response.text.delta"));
      assert.equal((await rowsOf(session, known)).length, 1);
    });

    const refused = async (promise: Promise<unknown>) => {
      const error: unknown = await promise.then(
        () => assert.fail("a session was opened"),
        (reason: unknown) => reason,
      );
      assert.ok(error instanceof SessionRefused, String(error));
      return [error.status, error.error["code"]];
    };

    it("is refused before it opens with the errors of every path", async () => {
      assert.deepEqual(await refused(open("")), [401, "missing_api_key"]);
      assert.deepEqual(await refused(open("sk-nobody")), [401, "invalid_api_key"]);
      assert.deepEqual(await refused(open(stage.key, { model: "" })), [400, "invalid_value"]);
      assert.deepEqual(await refused(open(stage.key, { model: "none" })), [404, "model_not_found"]);
      const narrow = await stage.gateway.addToken({ models: "gpt-4o-mini" });
      assert.deepEqual(await refused(open(narrow)), [403, "model_not_allowed"]);
      const elsewhere = await stage.gateway.addToken({ subnet: "10.1.0.0/16" });
      assert.deepEqual(await refused(open(elsewhere)), [403, "network_not_allowed"]);
      const poor = await stage.gateway.addToken({ remain_quota: 100 });
      assert.deepEqual(await refused(open(poor)), [403, "insufficient_quota"]);
      const judged = await stage.gateway.addToken({ moderations_enable: true });
      assert.deepEqual(await refused(open(judged)), [403, "not_moderated"]);
      const rare = await stage.gateway.addToken({ rpm_limit: 1 });
      await open(rare);
      assert.deepEqual(await refused(open(rare)), [429, "rate_limit_exceeded"]);
    });

    it("answers other upgrades like plain requests", async () => {
      const upgrade = { upgrade: "websocket", connection: "Upgrade" };
      const headers = { ...upgrade, authorization: `Bearer ${stage.key}` };
      const { request } = await import("node:http");
      const statusAt = (path: string) =>
        new Promise((resolve, reject) => {
          request(stage.gateway.url + path, { headers }, (answer) => resolve(answer.resume().statusCode))
            .on("error", reject)
            .end();
        });
      assert.equal(await statusAt("/v1/chat/completions"), 501);
      assert.equal(await statusAt("/v1/realtime/sessions"), 501);
      assert.equal(await statusAt("/v1/models"), 200);
      assert.equal(await statusAt("/v1/realtime?model=gpt-realtime"), 400, "no key of a WebSocket");
      const plain = await fetch(`${stage.gateway.url}/v1/realtime?model=x`, {
        headers: { authorization: `Bearer ${stage.key}` },
      });
      assert.equal(plain.status, 426);
    });

    it("tries another channel if a provider does not open it, and returns the last refusal", async () => {
      await setOptions(stage.gateway.testApp, { RetryTimes: "3" });
      const broken = await stage.gateway.upstream();
      broken.setBehaviour({ kind: "refuse", status: 500 });
      await stage.gateway.addChannel(broken, { models: "gpt-realtime", name: "broken", priority: 10 });
      const session = await open(stage.key);
      await session.next("session.created");
      assert.equal(broken.requests.length, 1);
      session.socket.close();
      stage.upstream.setBehaviour({ kind: "refuse", status: 500 });
      assert.deepEqual(await refused(open(stage.key)), [502, "upstream_failed"]);
      await idle();
      const { logs: all, open: reserved, differences } = await stage.gateway.books();
      const logs = all.filter(({ result }) => result !== "refused");
      assert.deepEqual([logs.at(-1)?.result, logs.at(-1)?.quota, reserved, differences], ["provider-failed", 0, 0, 0]);
    });

    it("retains the charged model if an event names another", async () => {
      const session = await open(stage.key);
      session.send({ type: "session.update", session: { type: "realtime", model: "gpt-4o-realtime-preview" } });
      const error = await session.next("error");
      assert.deepEqual([codeOf(error), recordOf(error["error"])["param"]], ["invalid_value", "session.model"]);
      session.send({ type: "response.create", response: { model: "gpt-4o-realtime-preview" } });
      await session.next((event) => recordOf(event["error"])["param"] === "response.model");
      session.send({ type: "session.update", session: { type: "transcription" } });
      await session.next((event) => recordOf(event["error"])["param"] === "session.type");
      assert.equal(stage.upstream.requests.at(-1)?.bodyText, "");
      session.send({ type: "session.update", session: { type: "realtime", model: "gpt-realtime" } });
      await session.next("session.updated");
      await rowsOf(session, 0);
      const only = await open(await stage.gateway.addToken({ models: "gpt-realtime" }));
      const transcription = { model: "whisper-1" };
      only.send({ type: "session.update", session: { type: "realtime", audio: { input: { transcription } } } });
      assert.equal(codeOf(await only.next("error")), "model_not_allowed");
      await rowsOf(only, 0);
    });

    it("sends the provider's name of the model if the channel maps it", async () => {
      const other = await stage.gateway.upstream();
      const model_mapping = JSON.stringify({ voice: "gpt-realtime" });
      await stage.gateway.addChannel(other, { models: "voice", name: "mapped", model_mapping });
      const session = await open(stage.key, { model: "voice" });
      session.send({ type: "session.update", session: { type: "realtime", model: "voice" } });
      await session.next("session.updated");
      assert.equal(other.requests.at(-1)?.query, "model=gpt-realtime");
      assert.match(other.requests.at(-1)?.bodyText ?? "", /"model":"gpt-realtime"/);
      await rowsOf(session, 0);
    });

    it("ends when the quota is used up, after a complete answer", async () => {
      const known = await logged();
      // Suffices for the longest first answer and not for a second one.
      const poor = await stage.gateway.addToken({ remain_quota: charge(0, 0, 0, 4_096) + 10_000 });
      const text = "word ".repeat(2_000).trim();
      stage.upstream.setBehaviour({ kind: "normal", text });
      const session = await open(poor);
      assert.equal(textOf(await session.ask("a last word")), text);
      const error = await session.next("error");
      assert.equal(codeOf(error), "insufficient_quota");
      assert.equal(await session.closed(), 1008);
      const rows = await rowsOf(session, known);
      assert.deepEqual(
        rows.filter(({ result }) => result !== "refused").map(({ quota }) => quota),
        [charge(3, 2_000)],
      );
    });

    it("ends when its token is disabled, charged as delivered", async () => {
      const known = await logged();
      stage.upstream.setBehaviour({ kind: "endless" });
      const token = await stage.gateway.addToken();
      const session = await open(token);
      session.send({ type: "response.create", response: TEXT });
      await session.next("response.output_text.delta");
      const { db } = stage.gateway.testApp.database;
      const { id } = await db.selectFrom("tokens").select("id").orderBy("id", "desc").executeTakeFirstOrThrow();
      await stage.gateway.root.data(updateToken, {
        query: { status_only: "true" },
        body: { id, status: TOKEN_STATUS.disabled },
      });
      await endRevoked(stage.gateway.testApp.deps.relay);
      assert.equal(codeOf(await session.next("error")), "token_disabled");
      assert.equal(await session.closed(), 1008);
      const rows = await rowsOf(session, known);
      assert.deepEqual([rows.length, rows[0]?.result, (rows[0]?.quota ?? 0) > 0], [1, "cut", true]);
    });

    it("reports an interruption by the provider, charged as delivered", async () => {
      const known = await logged();
      const session = await open(stage.key);
      session.send({
        type: "conversation.item.create",
        item: {
          type: "message",
          role: "user",
          content: [{ type: "input_text", text: '[[fake: {"kind":"cut","afterChunks":3}]] a b c d' }],
        },
      });
      session.send({ type: "response.create", response: TEXT });
      assert.equal(codeOf(await session.next("error")), "upstream_failed");
      assert.equal(await session.closed(), 1011);
      const rows = await rowsOf(session, known);
      assert.deepEqual([rows.length, rows[0]?.result, (rows[0]?.completion_tokens ?? 0) > 0], [1, "cut", true]);
    });

    it("ends at the provider when its caller disconnects, charged for exactly the delivered sound", async () => {
      const known = await logged();
      stage.upstream.setBehaviour({ kind: "stall", afterChunks: 3, text: "one two three four" });
      stage.upstream.clearRequests();
      const session = await open(stage.key);
      session.send({ type: "response.create", response: { output_modalities: ["audio"] } });
      await session.next(
        () => session.events.filter(({ type }) => type === "response.output_audio.delta").length === 3,
      );
      session.socket.terminate();
      await stage.upstream.waitForAbort();
      const rows = await rowsOf(session, known);
      // Three words and the trailing space; each word has a tenth of a second of sound: two tokens. The prompt is estimated at four letters a token.
      assert.deepEqual(
        rows.map(({ quota, completion_tokens, result }) => [quota, completion_tokens, result]),
        [[charge(22, 4, 0, 6), 10, "caller-gone"]],
      );
    });

    it("counts delivered output without a report", async () => {
      const known = await logged();
      stage.upstream.setBehaviour({ kind: "usage-override", report: "none" });
      const session = await open(stage.key);
      await session.ask("one two three");
      const rows = await rowsOf(session, known);
      assert.deepEqual([rows.length, (rows[0]?.quota ?? 0) > 0], [1, true]);
      assert.match(rows[0]?.detail ?? "", /"rule":"estimated"/);
    });

    it("enforces rate limits within a session", async () => {
      const session = await open(await stage.gateway.addToken({ rpm_limit: 2 }));
      await session.ask("one");
      await session.ask("two");
      session.send({ type: "response.create", response: TEXT });
      const error = await session.next("error");
      assert.equal(codeOf(error), "rate_limit_exceeded");
      assert.equal(session.socket.readyState, session.socket.OPEN);
      await rowsOf(session, 0);
    });

    it("ends with the server once no answer is running", async () => {
      const session = await open(stage.key);
      await session.next("session.created");
      const error = new RelayError({
        status: 503,
        code: "gateway_stopped",
        message: "The test stops the stage.gateway.",
      });
      stage.gateway.testApp.deps.relay.inFlight.endAll(error);
      assert.equal(codeOf(await session.next("error")), "gateway_stopped");
      await rowsOf(session, 0);
    });
  });
}
