import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { connectDatabase } from "@one-api/database/connect-database";
import type { DatabaseLocation, OpenDatabase } from "@one-api/database/open-database";
import { createTestDatabase, DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import { startStubServer } from "@one-api/stub-server/start-stub-server";
import OpenAI, { toFile } from "openai";
import { setUpStubChannel, STUB_MODEL, stubCharge } from "../gateway/set-up-stub-channel.ts";
import { startGateway } from "../gateway/start-gateway.ts";
import { expectBooksInOrder } from "./expect-books-in-order.ts";
import { forgetDeadGateways } from "./forget-dead-gateways.ts";

/** So many batches have ended before each kill, and are asked for one after the other: some are charged then, some not, and some just amid that. */
const BATCHES = 8;
const BETWEEN_MS = 4;
/** The gateway is killed so long after the first was asked for. */
const KILL_AFTER_MS = [12, 60];
/** No batch is as long as another made with it. */
const LEAST_LINES = 20;
/** What the stub counts for a line: six and "hello 7", and "You said: hello 7". */
const LINE_TOKENS = { prompt: 8, completion: 4 };
const LONGEST_WAIT_MS = 60_000;

const sdkAt = (url: string, key: string) => new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 });

async function makeBatch(sdk: OpenAI, lineCount: number): Promise<OpenAI.Batch> {
  const lines = Array.from({ length: lineCount }, (_, index) =>
    JSON.stringify({
      custom_id: `line-${index}`,
      method: "POST",
      url: "/v1/chat/completions",
      body: { model: STUB_MODEL, max_tokens: 50, messages: [{ role: "user", content: `hello ${index}` }] },
    }),
  );
  const file = await sdk.files.create({
    file: await toFile(Buffer.from(lines.join("\n")), "in.jsonl"),
    purpose: "batch",
  });
  return sdk.batches.create({ input_file_id: file.id, endpoint: "/v1/chat/completions", completion_window: "24h" });
}

/** Asks until the batch is at its end, and returns its answers. */
async function readToEnd(sdk: OpenAI, id: string): Promise<string> {
  const deadline = Date.now() + LONGEST_WAIT_MS;
  for (;;) {
    const { status, output_file_id: outputId } = await sdk.batches.retrieve(id);
    if (status === "completed" && outputId) return (await sdk.files.content(outputId)).text();
    assert.ok(Date.now() < deadline, `the batch ${id} comes to its end, and is ${status}`);
    await wait(20);
  }
}

async function inDatabase<Result>(
  location: DatabaseLocation,
  work: (database: OpenDatabase) => Promise<Result>,
): Promise<Result> {
  const database = await connectDatabase(location);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** Each batch has one row, with the tokens of its lines and half of what they cost outside of a batch. */
async function expectEachChargedOnce(location: DatabaseLocation, lineCounts: ReadonlyMap<string, number>) {
  const rows = await inDatabase(location, ({ db }) =>
    db
      .selectFrom("batches")
      .innerJoin("logs", "logs.request_id", "batches.request_id")
      .select(["batch_id", "prompt_tokens", "completion_tokens", "quota", "token_amount", "result"])
      .where("state", "=", "closed")
      .execute(),
  );
  const expected = [...lineCounts].map(([id, lines]) => {
    const [promptTokens, completionTokens] = [lines * LINE_TOKENS.prompt, lines * LINE_TOKENS.completion];
    const quota = stubCharge(promptTokens, completionTokens) / 2;
    return {
      batch_id: id,
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      quota,
      token_amount: quota,
      result: "ok",
    };
  });
  const byId = (batches: readonly { batch_id: string }[]) =>
    batches.map((batch) => ({ ...batch })).toSorted((one, other) => one.batch_id.localeCompare(other.batch_id));
  assert.deepEqual(byId(rows), byId(expected));
}

for (const kind of DATABASE_KINDS) {
  test(
    `after kill -9 at any step of a batch it is charged once, and handed out only then, on ${kind}`,
    { skip: whyMissing(kind) ?? false },
    async (t) => {
      const upstream = await startStubServer();
      t.after(() => upstream.close());
      const made = await createTestDatabase(kind);
      t.after(() => made.remove());
      let gateway = await startGateway(made.location);
      t.after(() => gateway.kill());
      const key = await setUpStubChannel(gateway.url, upstream.at("openai"));
      /** The lines of each batch that was handed out. */
      const delivered = new Map<string, number>();
      for (const killAfterMs of KILL_AFTER_MS) {
        const sdk = sdkAt(gateway.url, key);
        const batches = await Promise.all(
          Array.from({ length: BATCHES }, (_, index) => makeBatch(sdk, LEAST_LINES + index)),
        );
        for (const { id } of batches) await sdk.batches.retrieve(id);
        const asked = batches.map(async ({ id }, index) => {
          await wait(index * BETWEEN_MS);
          await sdk.batches.retrieve(id).catch(() => undefined);
        });
        await wait(killAfterMs);
        await gateway.kill();
        await Promise.all(asked);
        gateway = await startGateway(made.location);
        for (const [index, { id }] of batches.entries()) {
          const output = await readToEnd(sdkAt(gateway.url, key), id);
          assert.equal(output.trim().split("\n").length, LEAST_LINES + index);
          delivered.set(id, LEAST_LINES + index);
        }
      }
      // While the provider is asked to make one, which it never does.
      upstream.setBehaviour(({ path, method }) => ({
        kind: "normal",
        headersDelayMs: path === "/v1/batches" && method === "POST" ? 60_000 : 0,
      }));
      const unmade = makeBatch(sdkAt(gateway.url, key), LEAST_LINES).catch(() => undefined);
      await upstream.waitForRequest(
        ({ path, method, finishedAtMs }) => path === "/v1/batches" && method === "POST" && finishedAtMs === null,
      );
      await gateway.kill();
      await unmade;
      const countReserved = ({ db }: OpenDatabase) =>
        db
          .selectFrom("owners")
          .select("id")
          .where("state", "=", "batch")
          .execute()
          .then(({ length }) => length);
      await forgetDeadGateways(made.location);
      await inDatabase(made.location, async (database) => {
        const { db } = database;
        assert.equal(await countReserved(database), 1);
        await db.updateTable("batches").set({ created_at: 1, checked_at: 1 }).where("state", "=", "creating").execute();
      });
      gateway = await startGateway(made.location);
      // The look that gives it back comes by itself.
      if (kind === "postgres") {
        const deadline = Date.now() + LONGEST_WAIT_MS;
        while ((await inDatabase(made.location, countReserved)) > 0) {
          assert.ok(Date.now() < deadline, "what the batch that was never made had reserved is released");
          await wait(200);
        }
      } else
        await upstream.waitForRequest(
          ({ path, method }) => path === "/v1/batches" && method === "GET",
          LONGEST_WAIT_MS,
        );
      assert.equal(await gateway.terminate(), 0);
      await expectEachChargedOnce(made.location, delivered);
      assert.equal(await expectBooksInOrder(made.location, []), KILL_AFTER_MS.length * BATCHES);
    },
  );
}
