import assert from "node:assert/strict";
import { once } from "node:events";
import { describe, it } from "node:test";
import { updateToken } from "@one-api/contract/token";
import { TOKEN_STATUS } from "@one-api/contract/token-constants";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import { listOf, recordOf } from "@one-api/providers/shared/json-fields";
import { GoogleGenAI, type LiveServerMessage, Modality } from "@google/genai";
import {
  isTurnEnd,
  LIVE_PATH,
  openLive,
  type Session,
  type SessionEvent,
  SessionRefused,
} from "../../testing/open-session.ts";
import { withGateway } from "../../testing/with-gateway.ts";
import { withSessions } from "../../testing/with-sessions.ts";
import { WebSocket } from "ws";
import { endRevoked } from "../in-flight/index.ts";
import { RelayError } from "../errors/index.ts";

const MODEL = "gemini-3.1-flash-live-preview";
const NAMED = { model: `models/${MODEL}` };
const SPOKEN = { ...NAMED, generationConfig: { responseModalities: ["AUDIO"] } };

/** Quota of the model's tokens: $0.75 a million text input, $4.50 text output, $3 audio input, $12 audio output. */
const charge = (input: number, output: number, audioInput = 0, audioOutput = 0): number =>
  Math.ceil(0.375 * input + 2.25 * output + 1.5 * audioInput + 6 * audioOutput);
const textOf = (events: readonly SessionEvent[]): string =>
  events
    .flatMap((event) => listOf(recordOf(recordOf(event["serverContent"])["modelTurn"])["parts"]))
    .map((part) => recordOf(part)["text"])
    .join("");
const isPiece = (event: SessionEvent): boolean => "modelTurn" in recordOf(event["serverContent"]);

for (const kind of DATABASE_KINDS) {
  describe(`a session of Google's Live API, on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    const stage = withGateway([{ type: 24, models: MODEL }], { kind });
    const { keep: track, idle, logged, rowsOf: allRowsOf } = withSessions(stage);
    const open = async (key: string, setup?: SessionEvent | string): Promise<Session> =>
      track(await openLive(stage.gateway.url, key, setup));
    async function ready(setup: SessionEvent = NAMED, key = stage.key): Promise<Session> {
      const session = await open(key, setup);
      await session.next((event) => "setupComplete" in event);
      return session;
    }
    /** Closes the session and returns its log rows, without refusals. */
    const rowsOf = async (session: Session, from: number) =>
      (await allRowsOf(session, from)).filter(({ result }) => result !== "refused");

    it("answers in text, and charges each answer before its end is sent", async () => {
      const known = await logged();
      const session = await ready();
      await session.ask("hello there");
      const [first] = (await stage.gateway.books()).logs.slice(known);
      assert.deepEqual(
        [first?.quota, first?.prompt_tokens, first?.completion_tokens, first?.result],
        [charge(2, 4), 2, 4, "ok"],
      );
      await session.ask("again");
      assert.equal(textOf(session.events), "You said: hello thereYou said: again");
      const rows = await rowsOf(session, known);
      assert.deepEqual(
        rows.map(({ quota, model_name }) => [quota, model_name]),
        [
          [charge(2, 4), MODEL],
          [charge(7, 3), MODEL],
        ],
      );
    });

    it("answers to speech with speech, each counted by its kind", async () => {
      const known = await logged();
      const session = await ready(SPOKEN);
      const second = (byte: number) => ({
        data: Buffer.alloc(32_000, byte).toString("base64"),
        mimeType: "audio/pcm;rate=16000",
      });
      session.send({ realtimeInput: { audio: second(1) } });
      session.send({ realtime_input: { audio: second(0) } });
      await session.next(isTurnEnd);
      const pieces = session.events.filter(isPiece).length;
      const rows = await rowsOf(session, known);
      assert.deepEqual(
        rows.map(({ quota }) => quota),
        [charge(0, pieces, 50, pieces * 10)],
      );
    });

    it("works with the official SDK, at the stub and through the gateway", async () => {
      const known = await logged();
      for (const [baseUrl, apiKey] of [
        [stage.upstream.at("gemini"), "sk-upstream"],
        [stage.gateway.url, stage.key],
      ] as const) {
        const client = new GoogleGenAI({ apiKey, httpOptions: { baseUrl } });
        const messages: LiveServerMessage[] = [];
        const ended = Promise.withResolvers<void>();
        const session = await client.live.connect({
          model: MODEL,
          config: { responseModalities: [Modality.TEXT], systemInstruction: "Be brief." },
          callbacks: {
            onmessage(message) {
              messages.push(message);
              if (message.serverContent?.turnComplete === true) ended.resolve();
            },
            onclose: ({ reason }) => ended.reject(new Error(reason)),
          },
        });
        session.sendClientContent({ turns: "from the SDK" });
        await ended.promise;
        session.close();
        assert.equal(messages.map(({ text }) => text ?? "").join(""), "You said: from the SDK");
        assert.equal(messages.findLast(({ usageMetadata }) => usageMetadata)?.usageMetadata?.promptTokenCount, 5);
      }
      await idle();
      assert.equal(await logged(), known + 1);
    });

    it("counts tool calls as answers, each charged before the caller's result is forwarded", async () => {
      const known = await logged();
      stage.upstream.setBehaviour({ kind: "normal", callTool: true });
      const tools = [{ functionDeclarations: [{ name: "look" }] }];
      const session = await ready({ ...NAMED, tools });
      session.send({ clientContent: { turns: [{ parts: [{ text: "look" }] }], turnComplete: true } });
      const { toolCall } = await session.next((event) => "toolCall" in event);
      const [call] = listOf(recordOf(toolCall)["functionCalls"]).map(recordOf);
      assert.equal(call?.["name"], "look");
      stage.upstream.setBehaviour({ kind: "normal" });
      const response = { id: call?.["id"], name: "look", response: { output: "sunny" } };
      session.send({ toolResponse: { functionResponses: [response] } });
      await session.next(isTurnEnd);
      assert.equal(textOf(session.events), "You said: sunny");
      const rows = await rowsOf(session, known);
      assert.deepEqual(
        rows.map(({ quota, result }) => [quota, result]),
        [
          [charge(1, 1), "ok"],
          [charge(2, 3), "ok"],
        ],
      );
    });

    it("charges an interrupted answer as delivered", async () => {
      const known = await logged();
      stage.upstream.setBehaviour({ kind: "endless" });
      const session = await ready();
      session.send({ clientContent: { turns: [{ parts: [{ text: "go on" }] }], turnComplete: true } });
      await session.next(isPiece);
      stage.upstream.setBehaviour({ kind: "normal" });
      session.send({ realtimeInput: { text: "stop" } });
      await session.next((event) => recordOf(event["serverContent"])["interrupted"] === true);
      await session.next((_event) => session.events.filter(isTurnEnd).length === 2);
      const rows = await rowsOf(session, known);
      assert.equal(rows.length, 2);
      assert.ok(rows.every(({ quota, result }) => quota > 0 && result === "ok"));
      assert.match(rows.map(({ detail }) => detail).join(), /cancelled/);
    });

    it("sends the provider's name of the model, and requests no resumption handles", async () => {
      const other = await stage.gateway.upstream();
      const model_mapping = JSON.stringify({ voice: MODEL });
      await stage.gateway.addChannel(other, { type: 24, models: "voice", name: "mapped", model_mapping });
      const setup = { model: "voice", session_resumption: {}, generation_config: { response_modalities: ["TEXT"] } };
      const session = await ready(setup);
      const sent: unknown = JSON.parse(other.requests.at(-1)?.bodyText ?? "");
      const { session_resumption: _handles, ...kept } = setup;
      assert.deepEqual(sent, { setup: { ...kept, model: `models/${MODEL}` } });
      assert.equal(other.requests.at(-1)?.query, "", "no key in an address");
      assert.equal(other.requests.at(-1)?.headers["x-goog-api-key"], "sk-upstream");
      await rowsOf(session, 0);
    });

    it("is refused in Google's form before it opens", async () => {
      const refused = async (key: string) => {
        const error: unknown = await open(key).then(
          () => assert.fail("opened"),
          (reason: unknown) => reason,
        );
        assert.ok(error instanceof SessionRefused, String(error));
        return [error.status, error.error["status"]];
      };
      assert.deepEqual(await refused(""), [401, "UNAUTHENTICATED"]);
      assert.deepEqual(await refused("sk-nobody"), [401, "UNAUTHENTICATED"]);
      const judged = await stage.gateway.addToken({ moderations_enable: true });
      assert.deepEqual(await refused(judged), [403, "PERMISSION_DENIED"]);
      const plain = await fetch(`${stage.gateway.url}${LIVE_PATH}?key=${stage.key}`);
      assert.equal(plain.status, 426);
    });

    it("is closed with the reason if its first message requests something unavailable", async () => {
      const closes = async (setup: SessionEvent | string, code: number, reason: RegExp, key = stage.key) => {
        const session = await open(key, setup);
        assert.equal(await session.closed(), code, session.reason);
        assert.match(session.reason, reason);
      };
      stage.upstream.clearRequests();
      await closes("{", 1007, /JSON/);
      await closes('{"clientContent": {"turnComplete": true}}', 1007, /first message sets the session up/);
      await closes({ model: "" }, 1007, /Name the model/);
      await closes({ ...NAMED, tools: [{ googleSearch: {} }] }, 1007, /functionDeclarations/);
      await closes({ ...NAMED, sessionResumption: { handle: "another's" } }, 1007, /not taken up again/);
      await closes(
        { ...NAMED, generationConfig: { maxOutputTokens: 1, max_output_tokens: 9 } },
        1007,
        /both of its names/,
      );
      await closes({ ...NAMED, systemInstruction: { parts: [{ text: "x".repeat(1024 * 1024) }] } }, 1007, /more than/);
      await closes({ model: "models/none" }, 1008, /none/);
      const narrow = await stage.gateway.addToken({ models: "gpt-4o-mini" });
      await closes(NAMED, 1008, /may not|not allowed|cannot/i, narrow);
      const poor = await stage.gateway.addToken({ remain_quota: 100 });
      await closes(NAMED, 1008, /quota/i, poor);
      const rare = await stage.gateway.addToken({ rpm_limit: 1 });
      const first = await ready(NAMED, rare);
      await closes(NAMED, 1011, /limit/i, rare);
      first.socket.close();
      assert.equal(stage.upstream.requests.length, 1, "only the one that was let in");
      await idle();
      const books = await stage.gateway.books();
      assert.deepEqual([books.open, books.differences], [0, 0]);
    });

    it("ends if a later message requests another session, or is invalid", async () => {
      for (const [message, reason] of [
        [JSON.stringify({ setup: NAMED }), /set up already/],
        ['{"unknown": {}}', /clientContent/],
        [JSON.stringify({ clientContent: {}, client_content: { turn_complete: true } }), /Send one of/],
        [JSON.stringify({ clientContent: { turnComplete: false, turn_complete: true } }), /twice/],
        ["[]", /JSON/],
      ] as const) {
        const session = await ready();
        session.socket.send(message);
        assert.equal(await session.closed(), 1007);
        assert.match(session.reason, reason);
      }
    });

    it("tries another channel if a provider closes instead of setting up", async () => {
      const broken = await stage.gateway.upstream();
      broken.setBehaviour({ kind: "refuse", status: 503 });
      await stage.gateway.addChannel(broken, { type: 24, models: MODEL, name: "broken", priority: 10 });
      const session = await ready();
      assert.equal(broken.requests.length, 1);
      await rowsOf(session, 0);
      const strange = await stage.gateway.upstream();
      const model_mapping = JSON.stringify({ strange: "unknown" });
      await stage.gateway.addChannel(strange, { type: 24, models: "strange", name: "strange", model_mapping });
      await stage.gateway.addChannel(stage.upstream, { type: 24, models: "strange", name: "knows", priority: -1 });
      await ready({ model: "models/strange" });
      assert.equal(strange.requests.length, 1);
    });

    it("counts delivered output without a report, and clamps implausible reports", async () => {
      const known = await logged();
      stage.upstream.setBehaviour({ kind: "usage-override", report: "none" });
      const silent = await ready();
      await silent.ask("one two three");
      const [row] = await rowsOf(silent, known);
      assert.ok((row?.quota ?? 0) > 0);
      assert.match(row?.detail ?? "", /"rule":"estimated"/);
      const from = await logged();
      const usage = { promptTokenCount: 1e12, responseTokenCount: 1e12 };
      stage.upstream.setBehaviour({ kind: "usage-override", report: "given", usage });
      const absurd = await ready();
      await absurd.ask("one");
      const [clamped] = await rowsOf(absurd, from);
      assert.match(clamped?.detail ?? "", /"odd-completion-tokens"/);
      assert.ok((clamped?.quota ?? 0) < 1_000_000);
    });

    it("charges text labelled as an image as reported", async () => {
      const known = await logged();
      const usage = { promptTokenCount: 60_000, responseTokenCount: 4, totalTokenCount: 60_004 };
      stage.upstream.setBehaviour({ kind: "usage-override", report: "given", usage });
      const session = await ready();
      const text = { mimeType: "image/png", data: "letters ".repeat(10_000) };
      const parts = [{ functionResponse: { name: "look", response: { inlineData: text, deeper: { data: text } } } }];
      session.send({ clientContent: { turns: [{ parts }], turnComplete: true } });
      await session.next(isTurnEnd);
      const [row] = await rowsOf(session, known);
      assert.deepEqual([row?.prompt_tokens, row?.completion_tokens], [60_000, 4]);
    });

    it("charges a caller that disconnects early as delivered", async () => {
      const known = await logged();
      stage.upstream.setBehaviour({ kind: "stall", afterChunks: 3, text: "one two three four" });
      const session = await ready(SPOKEN);
      session.send({ clientContent: { turns: [{ parts: [{ text: "now" }] }], turnComplete: true } });
      const transcripts = () =>
        session.events.filter((event) => "outputTranscription" in recordOf(event["serverContent"]));
      await session.next(() => transcripts().length === 3);
      session.socket.terminate();
      const rows = await rowsOf(session, known);
      assert.deepEqual(
        rows.map(({ completion_tokens, result }) => [completion_tokens, result]),
        [[34, "caller-gone"]],
      );
    });

    it("answers many concurrent inputs, each charged once", async () => {
      const known = await logged();
      stage.upstream.setBehaviour({ kind: "normal", chunkDelayMs: 2 });
      const session = await ready();
      const turn = { clientContent: { turns: [{ parts: [{ text: "again" }] }], turnComplete: true } };
      for (let count = 0; count < 40; count += 1) session.send(turn);
      await session.next(() => session.events.filter(isTurnEnd).length === 40);
      const rows = await rowsOf(session, known);
      const reports = session.events.filter(isTurnEnd).map((event) => recordOf(event["usageMetadata"]));
      assert.equal(
        rows.reduce((sum, { prompt_tokens }) => sum + prompt_tokens, 0),
        reports.reduce((sum, { promptTokenCount }) => sum + Number(promptTokenCount), 0),
      );
    });

    it("ends when its token is disabled, charged as delivered", async () => {
      const known = await logged();
      stage.upstream.setBehaviour({ kind: "endless" });
      const token = await stage.gateway.addToken();
      const session = await ready(NAMED, token);
      session.send({ client_content: { turns: [{ parts: [{ text: "go on" }] }], turn_complete: true } });
      await session.next(isPiece);
      const { db } = stage.gateway.testApp.database;
      const { id } = await db.selectFrom("tokens").select("id").orderBy("id", "desc").executeTakeFirstOrThrow();
      const body = { id, status: TOKEN_STATUS.disabled };
      await stage.gateway.root.data(updateToken, { query: { status_only: "true" }, body });
      await endRevoked(stage.gateway.testApp.deps.relay);
      assert.equal(await session.closed(), 1008);
      assert.match(session.reason, /disabled/);
      const rows = await rowsOf(session, known);
      assert.deepEqual([rows.length, rows[0]?.result, (rows[0]?.quota ?? 0) > 0], [1, "cut", true]);
    });

    it("ends with the server while it waits for its first message, and while idle", async () => {
      const { inFlight } = stage.gateway.testApp.deps.relay;
      const url = stage.gateway.url.replace(/^http/, "ws");
      const waiting = new WebSocket(`${url}${LIVE_PATH}?key=${stage.key}`);
      await once(waiting, "open");
      const session = await ready();
      const closed = new Promise<unknown>((resolve) => {
        waiting.on("close", (code, reason) => resolve([code, reason.toString()]));
      });
      const error = new RelayError({ status: 503, code: "gateway_stopped", message: "The test stops the gateway." });
      inFlight.endAll(error);
      assert.deepEqual(await closed, [1001, "The test stops the gateway."], "going away (RFC 6455, 7.4.1)");
      assert.deepEqual((await session.next((event) => "goAway" in event))["goAway"], { timeLeft: "0s" });
      assert.equal(await session.closed(), 1011);
      await rowsOf(session, 0);
    });
  });
}
