import assert from "node:assert/strict";
import { test } from "node:test";
import { connectDatabase } from "@one-api/database/connect-database";
import type { DatabaseLocation } from "@one-api/database/open-database";
import { createTestDatabase, DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import { startStubServer } from "@one-api/stub-server/start-stub-server";
import { z } from "zod";
import { logInToGateway } from "../gateway/gateway-client.ts";
import { setStubPrices, setUpStubChannel, stubCharge } from "../gateway/set-up-stub-channel.ts";
import { startGateway } from "../gateway/start-gateway.ts";
import { expectBooksInOrder } from "./expect-books-in-order.ts";
import { forgetDeadGateways } from "./forget-dead-gateways.ts";

const MODEL = "gpt-realtime";
const LIVE_MODEL = "gemini-3.1-flash-live-preview";
/** Sessions that run at once before each kill. */
const SESSIONS = 20;
/** The gateway is killed when so many answers have ended, while the others are anywhere between their start and their settlement. */
const KILL_AFTER_ENDS = [1, 7, 15];

const endSchema = z.object({
  type: z.literal("response.done"),
  response: z.object({ usage: z.object({ input_tokens: z.number(), output_tokens: z.number() }) }),
});

/** An answer whose end has come, by what the provider says of it. No other is as long. */
interface Answered {
  readonly promptTokens: number;
  readonly completionTokens: number;
}

const setUpSchema = z.object({ setupComplete: z.object({}) });
const turnSchema = z.object({
  serverContent: z.object({ turnComplete: z.literal(true) }),
  usageMetadata: z.object({ promptTokenCount: z.number(), responseTokenCount: z.number() }),
});

/** The same with Google's Live API. */
function speakLive(url: string, key: string, onEnd: (answered: Answered) => void): Promise<void> {
  const path = "/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent";
  const socket = new WebSocket(`${url.replace(/^http/, "ws")}${path}?key=${key}`);
  socket.binaryType = "arraybuffer";
  const turn = { turns: [{ parts: [{ text: "go on" }] }], turnComplete: true };
  const ask = () => socket.send(JSON.stringify({ clientContent: turn }));
  socket.addEventListener("open", () => socket.send(JSON.stringify({ setup: { model: `models/${LIVE_MODEL}` } })));
  socket.addEventListener("message", ({ data }) => {
    if (!(data instanceof ArrayBuffer)) return;
    const message: unknown = JSON.parse(Buffer.from(data).toString());
    const end = turnSchema.safeParse(message);
    if (end.success) {
      const { promptTokenCount, responseTokenCount } = end.data.usageMetadata;
      onEnd({ promptTokens: promptTokenCount, completionTokens: responseTokenCount });
    }
    if (end.success || setUpSchema.safeParse(message).success) ask();
  });
  return new Promise((resolve) => socket.addEventListener("close", () => resolve()));
}

/** Has answers made in a session until it breaks, and calls back with each when its end has come. */
function speak(url: string, key: string, onEnd: (answered: Answered) => void): Promise<void> {
  const address = `${url.replace(/^http/, "ws")}/v1/realtime?model=${MODEL}`;
  const socket = new WebSocket(address, ["realtime", `openai-insecure-api-key.${key}`]);
  const ask = () => socket.send(JSON.stringify({ type: "response.create", response: { output_modalities: ["text"] } }));
  socket.addEventListener("open", ask);
  socket.addEventListener("message", ({ data }) => {
    const end = endSchema.safeParse(JSON.parse(String(data)));
    if (!end.success) return;
    const { input_tokens: promptTokens, output_tokens: completionTokens } = end.data.response.usage;
    onEnd({ promptTokens, completionTokens });
    ask();
  });
  return new Promise((resolve) => socket.addEventListener("close", () => resolve()));
}

/** Each delivered answer has one row, with its tokens and what they cost. */
async function expectEachChargedOnce(location: DatabaseLocation, delivered: readonly Answered[]): Promise<void> {
  const database = await connectDatabase(location);
  try {
    const rows = await database.db
      .selectFrom("logs")
      .select(["prompt_tokens", "completion_tokens", "quota", "token_amount"])
      .where("model_name", "in", [MODEL, LIVE_MODEL])
      .where("result", "=", "ok")
      .execute();
    for (const { promptTokens, completionTokens } of delivered) {
      const quota = stubCharge(promptTokens, completionTokens);
      assert.deepEqual(
        rows.filter(({ completion_tokens }) => completion_tokens === completionTokens).map((row) => ({ ...row })),
        [{ prompt_tokens: promptTokens, completion_tokens: completionTokens, quota, token_amount: quota }],
      );
    }
  } finally {
    await database.close();
  }
}

for (const kind of DATABASE_KINDS) {
  const options = { skip: whyMissing(kind) ?? false };
  test(
    `after kill -9 in sessions of both APIs every delivered answer is charged exactly once and all balances add up, on ${kind}`,
    options,
    async (t) => {
      let asked = 0;
      const upstream = await startStubServer({
        // No answer is as long as another.
        behaviour: () => {
          asked += 1;
          return { kind: "normal", chunkDelayMs: 1, text: "w ".repeat(4 + asked).trim() };
        },
      });
      t.after(() => upstream.close());
      const made = await createTestDatabase(kind);
      t.after(() => made.remove());
      let gateway = await startGateway(made.location);
      t.after(() => gateway.kill());
      const key = await setUpStubChannel(gateway.url, upstream.at("openai"), MODEL);
      const live = { type: 24, name: "live", key: "sk-stub", base_url: upstream.at("gemini"), models: LIVE_MODEL };
      const root = await logInToGateway(gateway.url);
      await root.send("POST", "/api/channel/", live);
      await setStubPrices(root, [MODEL, LIVE_MODEL]);
      const delivered: Answered[] = [];
      for (const wanted of KILL_AFTER_ENDS) {
        let ends = 0;
        let killed: Promise<void> | undefined;
        const onEnd = (answered: Answered) => {
          delivered.push(answered);
          ends += 1;
          if (ends === wanted) killed = gateway.kill();
        };
        await Promise.all(
          Array.from({ length: SESSIONS }, (_each, index) =>
            (index % 2 === 0 ? speak : speakLive)(gateway.url, key, onEnd),
          ),
        );
        await killed;
        assert.ok(ends >= wanted, `${ends} answers ended`);
        await forgetDeadGateways(made.location);
        gateway = await startGateway(made.location);
      }
      assert.equal(await gateway.terminate(), 0);
      await expectEachChargedOnce(made.location, delivered);
      await expectBooksInOrder(made.location, []);
    },
  );
}
