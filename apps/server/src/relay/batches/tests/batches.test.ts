import assert from "node:assert/strict";
import { afterEach, it } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { eachDatabase } from "@one-api/database/test-databases";
import { listOf, numberOf, parseJson, recordOf, textOf } from "@one-api/providers/shared/json-fields";
import OpenAI from "openai";
import { chatLine, makeBatch, uploadLines } from "../../../testing/make-batch.ts";
import { type RelayTest, startRelayTest, TEST_MODEL } from "../../../testing/start-relay-test.ts";
import { setOptions } from "../../../testing/set-options.ts";
import { waitUntil } from "@one-api/database/testing/wait-until";
import { followDueBatches } from "../index.ts";
import { followBatch } from "../follow-batches.ts";

/** The object that a text is as JSON. */
const read = (text: string | undefined) => recordOf(parseJson(text ?? ""));

/** The sum of what the lines of an output file report. */
function sumOf(output: string, field: string): number {
  const answers = output.split("\n").map((line) => recordOf(recordOf(read(line)["response"])["body"]));
  return answers.reduce((sum, { usage }) => sum + (numberOf(recordOf(usage)[field]) ?? 0), 0);
}

/** Kinds of channels whose batches stand in words of their own. */
const KINDS = [
  { provider: "OpenAI", type: 1 },
  { provider: "Mistral", type: 28 },
];

const isNotFound = (error: unknown) => error instanceof OpenAI.NotFoundError;

eachDatabase((_open, kind) => {
  let test: RelayTest | undefined;
  afterEach(() => test?.close());

  async function start(type = 1) {
    const gateway = await startRelayTest({ kind });
    test = gateway;
    const upstream = await gateway.upstream();
    await gateway.addChannel(upstream, { type });
    const { client } = await gateway.testApp.logInAs("user");
    const key = await gateway.addToken();
    const { relay } = gateway.testApp.deps;
    const row = () =>
      gateway.testApp.database.db.selectFrom("batches").selectAll().orderBy("id", "desc").executeTakeFirstOrThrow();
    const openBatches = gateway.testApp.database.db.selectFrom("owners").select("id").where("state", "=", "batch");
    const held = async () => (await openBatches.execute()).length;
    return {
      gateway,
      upstream,
      key,
      relay,
      row,
      held,
      owner: gateway.sdk(key),
      other: gateway.sdk(await gateway.addToken({ remain_quota: 1_000_000 }, client)),
    };
  }

  it("a batch holds its bound, is charged at half the price, and opens its files to its owner alone, after that", async () => {
    const { gateway, upstream, owner, other, row, held } = await start();
    const { file, batch } = await makeBatch(owner, [chatLine("a"), chatLine("error-b"), chatLine("c")]);
    assert.equal(batch.input_file_id, file.id);
    const { reserved } = await row();
    assert.ok(reserved > 0);
    assert.equal(await held(), 1);
    const sent = upstream.requests.find(({ path, bodyText }) => path === "/v1/batches" && bodyText !== "");
    assert.notEqual(read(sent?.bodyText)["input_file_id"], file.id, "what is sent is what was bounded");
    const first = await owner.batches.retrieve(batch.id);
    assert.deepEqual([first.status, first.output_file_id], ["in_progress", null]);
    assert.equal((await gateway.books()).charged, 0);
    const done = await owner.batches.retrieve(batch.id);
    assert.equal(done.status, "completed");
    const output = await (await owner.files.content(done.output_file_id ?? "")).text();
    assert.match(output, /"custom_id":"a"/);
    assert.match(await (await owner.files.content(done.error_file_id ?? "")).text(), /error-b/);
    assert.equal(await held(), 0);
    const log = (await gateway.books()).logs.filter(({ model_name: name }) => name === TEST_MODEL);
    assert.equal(log.length, 1);
    const [entry] = log;
    const prompt = sumOf(output, "prompt_tokens");
    const completion = sumOf(output, "completion_tokens");
    assert.deepEqual([entry?.prompt_tokens, entry?.completion_tokens], [prompt, completion]);
    // gpt-4o-mini: ratio 0.075, four times that for what it writes; half of it in a batch.
    assert.equal(entry?.quota, Math.ceil((prompt + completion * 4) * 0.075 * 0.5));
    assert.deepEqual(read(entry?.detail)["batch"], { lines: 2, failed: 1, factor: 0.5 });
    for (const ask of [
      () => other.batches.retrieve(batch.id),
      () => other.batches.cancel(batch.id),
      () => other.files.content(done.output_file_id ?? ""),
    ])
      await assert.rejects(ask, isNotFound);
    assert.deepEqual((await other.batches.list()).data, []);
    assert.deepEqual(
      (await owner.batches.list()).data.map(({ id }) => id),
      [batch.id],
    );
    assert.equal((await gateway.books()).differences, 0);
  });

  it("a batch for an alias is served by its first model with batches, at that one's price and within the token's rights", async () => {
    const { gateway, owner, row, upstream } = await start();
    await gateway.addChannel(upstream, { name: "other", models: "gpt-4o,o3" });
    await setOptions(gateway.testApp, { ModelAliases: JSON.stringify({ fast: ["nowhere", TEST_MODEL, "gpt-4o"] }) });
    const { batch } = await makeBatch(owner, [chatLine("a", { model: "fast" }), chatLine("b", { model: "fast" })]);
    assert.equal((await row()).model, TEST_MODEL);
    await owner.batches.retrieve(batch.id);
    assert.equal((await owner.batches.retrieve(batch.id)).status, "completed");
    const { logs, differences } = await gateway.books();
    const entry = logs.find(({ quota }) => quota > 0);
    const { prompt_tokens: prompt = 0, completion_tokens: completion = 0 } = entry ?? {};
    assert.deepEqual(
      [entry?.model_name, entry?.quota],
      [TEST_MODEL, Math.ceil((prompt + completion * 4) * 0.075 * 0.5)],
    );
    assert.deepEqual([read(entry?.detail)["alias"], differences], ["fast", 0]);
    const limited = gateway.sdk(await gateway.addToken({ name: "limited", models: "gpt-4o" }));
    await assert.rejects(
      makeBatch(limited, [chatLine("a", { model: "fast" }), chatLine("b", { model: TEST_MODEL })]),
      /Line 2 .*may not call the model gpt-4o-mini/,
    );
    await makeBatch(limited, [chatLine("a", { model: "fast" })]);
    assert.equal((await row()).model, "gpt-4o");
    const named = gateway.sdk(await gateway.addToken({ name: "named", models: "fast" }));
    await makeBatch(named, [chatLine("a", { model: "fast" })]);
    assert.equal((await row()).model, TEST_MODEL);
    const barred = gateway.sdk(await gateway.addToken({ name: "barred", models: "o3" }));
    await assert.rejects(makeBatch(barred, [chatLine("a", { model: "fast" })]), OpenAI.PermissionDeniedError);
  });

  it("each line of a batch names any model or alias that the batch's model may answer for its token, or is refused", async () => {
    const { gateway, upstream, owner, row } = await start();
    const aliases = {
      fast: ["nowhere", TEST_MODEL],
      text: [{ model: TEST_MODEL, when: { images: false } }, "gpt-4o"],
      short: [{ model: TEST_MODEL, when: { prompt_to: 500 } }, "gpt-4o"],
      cheap: [{ model: TEST_MODEL, when: { input_price_to: 0.01 } }, "gpt-4o"],
      other: ["gpt-4o"],
    };
    await setOptions(gateway.testApp, { ModelAliases: JSON.stringify(aliases) });
    const batchOf = (sdk: OpenAI, ...bodies: readonly object[]) =>
      makeBatch(
        sdk,
        bodies.map((body, index) => chatLine(`line-${index}`, body)),
      );
    await batchOf(owner, { model: "fast" }, {}, { model: "text" }, { model: "short" });
    assert.equal((await row()).model, TEST_MODEL);
    const uploads = upstream.requests.filter(({ path, method }) => path === "/v1/files" && method === "POST");
    const models = [...(uploads.at(-1)?.bodyText ?? "").matchAll(/"model":"([^"]*)"/g)].map(([, model]) => model);
    assert.deepEqual(models, [TEST_MODEL, TEST_MODEL, TEST_MODEL, TEST_MODEL]);
    const image = { type: "image_url", image_url: { url: "data:image/png;base64,aGVsbG8=" } };
    const withImage = { messages: [{ role: "user", content: [image] }] };
    const long = { messages: [{ role: "user", content: "x".repeat(4_000) }] };
    for (const [body, reason] of [
      [{ model: "text", ...withImage }, /Line 2 .*model text is not answered by gpt-4o-mini/],
      [{ model: "short", ...long }, /Line 2 .*model short is not answered by gpt-4o-mini/],
      [{ model: "other" }, /Line 2 .*model other is not answered by gpt-4o-mini/],
      [{ model: "gpt-4o" }, /Line 2 .*model gpt-4o is not answered by gpt-4o-mini/],
      [{ model: "cheap" }, /Line 2 .*price ceiling/],
    ] as const)
      await assert.rejects(
        batchOf(owner, {}, body),
        (error) => error instanceof OpenAI.BadRequestError && reason.test(error.message),
        reason.source,
      );
    const named = gateway.sdk(await gateway.addToken({ name: "named", models: "fast" }));
    await assert.rejects(
      batchOf(named, { model: "fast" }, {}),
      (error) => error instanceof OpenAI.PermissionDeniedError && error.message.includes("Line 2"),
    );
    assert.equal((await gateway.books()).differences, 0);
  });

  it("what an ended batch delivered stays closed until it is charged, however often that is tried", async () => {
    const { gateway, owner, upstream, held, row, relay } = await start();
    const { batch } = await makeBatch(owner, [chatLine("a")]);
    await owner.batches.retrieve(batch.id);
    upstream.setBehaviour(({ path }) =>
      path.endsWith("/content") ? { kind: "cut", at: "accept" } : { kind: "normal" },
    );
    const ended = await owner.batches.retrieve(batch.id);
    assert.deepEqual([ended.status, ended.output_file_id], ["finalizing", null]);
    const hidden = textOf(read((await row()).data)["output_file_id"]);
    assert.notEqual(hidden, "");
    await assert.rejects(owner.files.content(hidden), isNotFound);
    assert.equal(await held(), 1);
    upstream.setBehaviour({ kind: "normal" });
    const id = (await row()).id;
    await Promise.all([followBatch(relay, { id }), followBatch(relay, { id })]);
    // As if the process had died after the charge, before it was noted.
    await gateway.testApp.database.db.updateTable("batches").set({ state: "open" }).execute();
    await followBatch(relay, { id });
    assert.match(await (await owner.files.content(hidden)).text(), /"custom_id":"a"/);
    const { logs, differences } = await gateway.books();
    assert.equal(logs.filter(({ quota }) => quota > 0).length, 1);
    assert.equal(differences, 0);
  });

  for (const { provider, type } of KINDS) {
    it(`a batch at ${provider} that is cancelled or expires is charged for what it delivered`, async () => {
      const { gateway, owner, held } = await start(type);
      const lines = [chatLine("a"), chatLine("b")];
      const { batch } = await makeBatch(owner, lines, { course: "hang" });
      await owner.batches.retrieve(batch.id);
      assert.equal((await owner.batches.cancel(batch.id)).status, "cancelling");
      const cancelled = await owner.batches.retrieve(batch.id);
      assert.equal(cancelled.status, "cancelled");
      assert.doesNotMatch(await (await owner.files.content(cancelled.output_file_id ?? "")).text(), /"custom_id":"b"/);
      const { batch: expiring } = await makeBatch(owner, lines, { course: "expire" });
      await owner.batches.retrieve(expiring.id);
      assert.equal((await owner.batches.retrieve(expiring.id)).status, "expired");
      const { batch: failing } = await makeBatch(owner, lines, { course: "fail" });
      await owner.batches.retrieve(failing.id);
      assert.equal((await owner.batches.retrieve(failing.id)).status, "failed");
      const { logs, differences } = await gateway.books();
      const booked = logs.filter(({ model_name: name }) => name === TEST_MODEL);
      assert.deepEqual(
        booked.map(({ quota, detail }) => [quota > 0, read(detail)["end"]]),
        [
          [true, "cancelled"],
          [true, "expired"],
          [false, "failed"],
        ],
      );
      assert.equal(differences, 0);
      assert.equal(await held(), 0);
    });

    it(`a batch at ${provider} whose making nobody noted is found by its file, cancelled, and charged`, async () => {
      const { gateway, owner, row, relay, held } = await start(type);
      await makeBatch(owner, [chatLine("a")], { course: "hang" });
      const { db } = gateway.testApp.database;
      const old = Math.floor(Date.now() / 1000) - 3_600;
      // As if the process had died before the provider's answer was noted.
      await db.updateTable("batches").set({ state: "creating", batch_id: "", data: "", created_at: old }).execute();
      assert.deepEqual((await owner.batches.list()).data, []);
      const { id } = await row();
      await followBatch(relay, { id });
      const [found] = (await owner.batches.list()).data;
      await followBatch(relay, { id });
      assert.equal((await owner.batches.retrieve(found?.id ?? "")).status, "cancelled");
      assert.ok((await gateway.books()).charged > 0);
      assert.equal(await held(), 0);
      assert.equal((await gateway.books()).differences, 0);
    });
  }

  it("usage that is missing is estimated, and usage beyond belief is taken at the bound of its line", async () => {
    const { gateway, owner } = await start();
    const { batch } = await makeBatch(owner, [chatLine("bare-a"), chatLine("absurd-b")]);
    await owner.batches.retrieve(batch.id);
    await owner.batches.retrieve(batch.id);
    const entry = (await gateway.books()).logs.find(({ model_name: name }) => name === TEST_MODEL);
    assert.ok((entry?.completion_tokens ?? 0) > 100 && (entry?.completion_tokens ?? 0) < 200);
    assert.equal(recordOf(read(entry?.detail)["charge"])["rule"], "estimated");
    const [note] = listOf(read(entry?.detail)["notes"]).map(recordOf);
    assert.deepEqual([note?.["code"], note?.["reported"]], ["odd-completion-tokens", 1_000_000_000]);
  });

  it("refuses a file that is another's, wrong, or more than the balance covers, and keeps nothing of it", async () => {
    const { gateway, upstream, owner, other, held } = await start();
    const make = (sdk: OpenAI, id: string) =>
      sdk.batches.create({ input_file_id: id, endpoint: "/v1/chat/completions", completion_window: "24h" });
    const file = await uploadLines(owner, [chatLine("a")]);
    await assert.rejects(make(other, file.id), isNotFound);
    await assert.rejects(make(owner, "file-nobody"), isNotFound);
    const poor = gateway.sdk(await gateway.addToken({ remain_quota: 1 }));
    await assert.rejects(
      make(poor, file.id),
      (error) => error instanceof OpenAI.PermissionDeniedError && error.code === "insufficient_quota",
    );
    const narrow = gateway.sdk(await gateway.addToken({ models: "gpt-4o" }));
    await assert.rejects(make(narrow, file.id), OpenAI.PermissionDeniedError);
    for (const [lines, text] of [
      [[chatLine("a"), chatLine("a")], /Line 2 .*custom_id a stands in another line/],
      [[chatLine("a"), chatLine("b", { model: "gpt-4o" })], /Line 2 .*model gpt-4o is not answered/],
      [[chatLine("a"), chatLine("b", { max_tokens: -1 })], /Line 2 .*max_tokens/],
      [[chatLine("a", { stream: true })], /Line 1 .*stream/],
      [[{ ...chatLine("a"), url: "/v1/embeddings" }], /Line 1 .*url/],
      [[], /no lines/],
    ] as const) {
      const wrong = await uploadLines(owner, lines);
      await assert.rejects(
        make(owner, wrong.id),
        (error) => error instanceof OpenAI.BadRequestError && text.test(error.message),
        text.source,
      );
    }
    assert.ok(!upstream.requests.some(({ method, path }) => method === "POST" && path === "/v1/batches"));
    assert.equal(await held(), 0);
    const left = await gateway.testApp.database.db.selectFrom("batches").select("id").execute();
    assert.deepEqual(left, []);
    assert.equal((await gateway.books()).differences, 0);
  });

  it("a line's model is the provider's, and no line ends where the provider alone might see an end", async () => {
    const { gateway, upstream, owner } = await start();
    await gateway.addChannel(upstream, {
      name: "mapped",
      models: "house",
      model_mapping: JSON.stringify({ house: TEST_MODEL }),
      priority: 99,
    });
    const hidden = '\u2028{"custom_id":"hidden"}\u2028';
    const messages = [{ role: "user", content: hidden }];
    await makeBatch(owner, [chatLine("a", { model: "house", messages })]);
    const uploads = upstream.requests.filter(({ path, method }) => path === "/v1/files" && method === "POST");
    const sent = uploads.at(-1)?.bodyText ?? "";
    assert.match(sent, new RegExp(`"model":"${TEST_MODEL}"`));
    assert.ok(!sent.includes("\u2028") && sent.includes("\\u2028"));
  });

  it("a line that the provider has no place for is refused with what is too much of it", async () => {
    const { gateway, upstream, owner } = await start();
    const models = "llama-3.3-70b-versatile";
    await gateway.addChannel(upstream, { type: 29, name: "groq", models, base_url: `${upstream.at("groq")}/openai` });
    const { batch } = await makeBatch(owner, [chatLine("a", { model: models })]);
    assert.equal(upstream.requests.at(-1)?.path, "/openai/v1/batches");
    assert.notEqual(batch.id, "");
    await assert.rejects(
      makeBatch(owner, [chatLine("a", { model: models }), chatLine("b", { model: models, top_k: 5 })]),
      (error) => error instanceof OpenAI.BadRequestError && /Line 2 .*no place for top_k/.test(error.message),
    );
  });

  it("two batches of an account are made at once, others wait, and whoever does not wait has none", async () => {
    const { gateway, upstream, owner, held } = await start();
    const { id } = await uploadLines(owner, [chatLine("a")]);
    // So long that all of them are there before the first is read.
    upstream.setBehaviour(({ path }) => ({
      kind: "normal",
      ...(path.endsWith("/content") && { headersDelayMs: 700 }),
    }));
    const asked = { input_file_id: id, endpoint: "/v1/chat/completions", completion_window: "24h" } as const;
    const making = [1, 2, 3, 4].map(() => owner.batches.create(asked));
    const isRead = ({ path }: { readonly path: string }) => path.endsWith("/content");
    await waitUntil(() => Promise.resolve(upstream.requests.filter(isRead).length >= 2));
    const leaving = new AbortController();
    const left = owner.batches.create(asked, { signal: leaving.signal });
    // It may have come by then or not: it is not made in either case.
    await wait(100);
    leaving.abort();
    await assert.rejects(left);
    assert.equal(new Set((await Promise.all(making)).map((batch) => batch.id)).size, 4);
    await gateway.testApp.deps.relay.inFlight.idle();
    const reads = upstream.requests.filter(isRead);
    for (const { startedAtMs } of reads) {
      const others = reads.filter((one) => one.startedAtMs <= startedAtMs && (one.finishedAtMs ?? 0) > startedAtMs);
      assert.ok(others.length <= 2, "two are read at once");
    }
    assert.equal(await held(), 4);
    assert.equal((await gateway.books()).differences, 0);
  });

  it("a token's batches of a day have no more lines and model tokens than its limits per minute come to", async () => {
    const { gateway, owner, held } = await start();
    const limited = await gateway.addToken({ tpm_limit: 1 });
    const { db } = gateway.testApp.database;
    const sdk = gateway.sdk(limited);
    const isRefused = (error: unknown) =>
      error instanceof OpenAI.RateLimitError && error.type === "tokens" && /1440000 model tokens/.test(error.message);
    // What a thousand tokens a minute come to in a day is not enough for two of these, and each uses next to nothing of it.
    const line = (id: string) => chatLine(id, { max_tokens: 1_000_000 });
    const { batch } = await makeBatch(sdk, [line("a")]);
    await assert.rejects(makeBatch(sdk, [line("b")]), isRefused);
    assert.equal(await held(), 1);
    await makeBatch(owner, [line("c")]);
    await sdk.batches.retrieve(batch.id);
    await sdk.batches.retrieve(batch.id);
    // What was used takes the place of what could have been.
    await makeBatch(sdk, [line("b")]);
    const old = Math.floor(Date.now() / 1000) - 25 * 3_600;
    await assert.rejects(makeBatch(sdk, [line("d")]), isRefused);
    await db.updateTable("batches").set({ created_at: old }).execute();
    await makeBatch(sdk, [line("d")]);
    const slow = gateway.sdk(await gateway.addToken({ rpm_limit: 2 }));
    const lines = Array.from({ length: 2_881 }, (_, index) => chatLine(`${index}`, { max_tokens: 1 }));
    await assert.rejects(
      makeBatch(slow, lines),
      (error) => error instanceof OpenAI.RateLimitError && /2880 lines/.test(error.message),
    );
    assert.equal((await gateway.books()).differences, 0);
  });

  it("what a provider never made, and what it lost, costs nothing and hands out nothing", async () => {
    const { gateway, upstream, owner, row, relay, held } = await start();
    const { db } = gateway.testApp.database;
    const { batch } = await makeBatch(owner, [chatLine("a")], { course: "hang" });
    const old = Math.floor(Date.now() / 1000) - 4 * 24 * 3_600;
    await db.updateTable("batches").set({ created_at: old, checked_at: 0 }).execute();
    upstream.setBehaviour({ kind: "refuse", status: 404 });
    await followDueBatches(relay);
    assert.equal((await owner.batches.retrieve(batch.id)).status, "failed");
    assert.equal(await held(), 0);
    upstream.setBehaviour({ kind: "normal" });
    await makeBatch(owner, [chatLine("b")]);
    const made = await row();
    const nowhere = { state: "creating", batch_id: "", data: "", input_file_id: "nowhere", created_at: old } as const;
    await db.updateTable("batches").set(nowhere).where("id", "=", made.id).execute();
    await followBatch(relay, made);
    assert.equal(await held(), 0);
    const { charged, differences } = await gateway.books();
    assert.deepEqual([charged, differences], [0, 0]);
  });

  it("a batch whose token was disabled is cancelled, and charged for what it delivered", async () => {
    const { gateway, upstream, owner, row, relay, held } = await start();
    await makeBatch(owner, [chatLine("a"), chatLine("b")], { course: "hang" });
    await gateway.testApp.database.db.updateTable("tokens").set({ status: 2 }).execute();
    const batch = await row();
    await followBatch(relay, batch);
    assert.ok(upstream.requests.some(({ path }) => path.endsWith("/cancel")));
    await followBatch(relay, batch);
    const { logs, differences } = await gateway.books();
    assert.equal(logs.filter(({ quota }) => quota > 0).length, 1);
    assert.equal(differences, 0);
    assert.equal(await held(), 0);
  });

  it("a batch at Mistral is a job there, and one of OpenAI's batches here", async () => {
    const { upstream, owner } = await start(28);
    const { file, batch } = await makeBatch(owner, [chatLine("a"), chatLine("b")], { team: "red" });
    const job = upstream.requests.find(({ path, method }) => method === "POST" && path === "/v1/batch/jobs");
    const { input_files: inputs, ...asked } = read(job?.bodyText);
    assert.deepEqual(asked, {
      endpoint: "/v1/chat/completions",
      model: TEST_MODEL,
      timeout_hours: 24,
      metadata: { team: "red" },
    });
    assert.notDeepEqual(inputs, [file.id], "what is sent is what was bounded");
    await owner.batches.retrieve(batch.id);
    const done = await owner.batches.retrieve(batch.id);
    assert.deepEqual(
      [done.status, done.input_file_id, done.request_counts, done.metadata, typeof done.completed_at, done.errors],
      ["completed", file.id, { total: 2, completed: 2, failed: 0 }, { team: "red" }, "number", null],
    );
    const output = await (await owner.files.content(done.output_file_id ?? "")).text();
    assert.match(output, /"custom_id":"b"/);
    upstream.setBehaviour(({ path }) =>
      path === "/v1/batch/jobs" ? { kind: "refuse", status: 400, message: "No such model" } : { kind: "normal" },
    );
    await assert.rejects(
      makeBatch(owner, [chatLine("c")]),
      (error) => error instanceof OpenAI.BadRequestError && /No such model/.test(error.message),
    );
    assert.deepEqual((await owner.batches.list()).data.length, 1);
  });
});
