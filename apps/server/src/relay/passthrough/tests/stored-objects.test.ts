import assert from "node:assert/strict";
import { afterEach, it } from "node:test";
import { eachDatabase } from "@one-api/database/test-databases";
import OpenAI, { toFile } from "openai";
import { errorOf, type RelayTest, startRelayTest, TEST_MODEL } from "../../../testing/start-relay-test.ts";

const MEGABYTES = 1024 * 1024;

eachDatabase((_open, kind) => {
  let test: RelayTest | undefined;
  afterEach(() => test?.close());

  /** A gateway with two users, and two channels of one model on different accounts. */
  async function start() {
    const gateway = await startRelayTest({ kind });
    test = gateway;
    const [first, second] = [await gateway.upstream(), await gateway.upstream()];
    await gateway.addChannel(first, { priority: 9 });
    await gateway.addChannel(second);
    const { client } = await gateway.testApp.logInAs("user");
    const otherKey = await gateway.addToken({ remain_quota: 0 }, client);
    return {
      gateway,
      first,
      second,
      owner: gateway.sdk(await gateway.addToken()),
      otherKey,
      other: gateway.sdk(otherKey),
    };
  }

  const isNotFound = (error: unknown) => error instanceof OpenAI.NotFoundError;

  it("an interrupted answer, charged in part, is not found", async () => {
    const { first, owner } = await start();
    const input = '[[fake: {"kind":"cut","afterChunks":3}]] one two three four';
    let interrupted = "";
    await assert.rejects(async () => {
      for await (const event of await owner.responses.create({ model: TEST_MODEL, input, stream: true }))
        if (event.type === "response.created") interrupted = event.response.id;
    });
    assert.notEqual(interrupted, "");
    const asked = first.requests.length;
    await assert.rejects(owner.responses.retrieve(interrupted), isNotFound);
    assert.equal(first.requests.length, asked, "the provider may have it whole");
  });

  it("a refusal of the channel's key is no fault of the owner", async () => {
    const { first, owner } = await start();
    const made = await owner.responses.create({ model: TEST_MODEL, input: "hello" });
    first.setBehaviour({ kind: "refuse", status: 401 });
    const isRefusal = (error: unknown) =>
      error instanceof OpenAI.APIError && error.status === 502 && error.code === "upstream_refused";
    await assert.rejects(owner.responses.retrieve(made.id), isRefusal);
    const file = await toFile(Buffer.from("{}"), "a.jsonl");
    await assert.rejects(owner.files.create({ purpose: "batch", file }), isRefusal);
  });

  it("stored answers are found by their owner's tokens only", async () => {
    const { gateway, first, second, owner, other } = await start();
    const made = await owner.responses.create({ model: TEST_MODEL, input: "hello" });
    let streamed = "";
    for await (const event of await owner.responses.create({ model: TEST_MODEL, input: "hello", stream: true }))
      if (event.type === "response.completed") streamed = event.response.id;
    for (const id of [made.id, streamed]) {
      const again = gateway.sdk(await gateway.addToken());
      assert.equal((await again.responses.retrieve(id)).id, id);
      assert.deepEqual((await again.responses.inputItems.list(id)).data, []);
      assert.equal((await again.responses.cancel(id)).id, id);
      await assert.rejects(other.responses.retrieve(id), isNotFound);
      await assert.rejects(other.responses.cancel(id), isNotFound);
      await assert.rejects(other.responses.delete(id), isNotFound);
      await assert.rejects(
        other.responses.create({ model: TEST_MODEL, input: "go on", previous_response_id: id }),
        isNotFound,
      );
      await owner.responses.create({ model: TEST_MODEL, input: "go on", previous_response_id: id });
      await owner.responses.delete(id);
      await assert.rejects(owner.responses.retrieve(id), isNotFound);
    }
    await assert.rejects(owner.responses.retrieve("resp_nobody"), isNotFound);
    assert.equal(second.requests.length, 0);
    assert.ok(first.requests.every(({ headers }) => headers.authorization === "Bearer sk-upstream"));
    const unstored = await owner.responses.create({ model: TEST_MODEL, input: "hello", store: false });
    assert.equal((await gateway.lastLog()).result, "ok");
    assert.ok(unstored.id !== "");
  });

  it("files stay with their channel, belong to one account, are free and limited", async () => {
    const { gateway, first, second, owner, other } = await start();
    const upload = (sdk: OpenAI, text: string | Buffer) =>
      toFile(Buffer.from(text), "notes.txt").then((file) => sdk.files.create({ file, purpose: "user_data" }));
    const file = await upload(owner, "some notes");
    const log = await gateway.lastLog();
    assert.deepEqual([log.quota, log.status_code, log.model_name], [0, 200, "files"]);
    assert.match(first.requests.at(-1)?.bodyText ?? "", /some notes/);
    assert.equal((await owner.files.retrieve(file.id)).id, file.id);
    assert.match(await (await owner.files.content(file.id)).text(), /of a file/);
    const listed = async (sdk: OpenAI) => (await sdk.files.list()).data.map(({ id }) => id);
    assert.deepEqual([await listed(owner), await listed(other)], [[file.id], []]);
    await assert.rejects(other.files.retrieve(file.id), isNotFound);
    await assert.rejects(other.files.content(file.id), isNotFound);
    await assert.rejects(other.files.delete(file.id), isNotFound);
    // Another channel with priority is not chosen, since it lacks the file.
    await gateway.addChannel(second, { name: "best", priority: 99 });
    const input = [{ role: "user" as const, content: [{ type: "input_file" as const, file_id: file.id }] }];
    await owner.responses.create({ model: TEST_MODEL, input });
    assert.equal(first.requests.at(-1)?.path, "/v1/responses");
    await assert.rejects(other.responses.create({ model: TEST_MODEL, input }), isNotFound);
    await owner.files.delete(file.id);
    assert.deepEqual(await listed(owner), []);
    assert.equal(second.requests.length, 0);
    await assert.rejects(
      upload(owner, Buffer.alloc(101 * MEGABYTES)),
      (error) => error instanceof OpenAI.APIError && error.status === 413,
    );
    const { differences } = await gateway.books();
    assert.equal(differences, 0);
  });

  it("another account's file is not found at any position of a request", async () => {
    const { gateway, first, owner, otherKey } = await start();
    await gateway.addChannel(first, { name: "pictures", models: "gpt-image-1" });
    const upload = await toFile(Buffer.from("some notes"), "notes.txt");
    const { id } = await owner.files.create({ file: upload, purpose: "user_data" });
    const model = TEST_MODEL;
    const file = { type: "input_file", file_id: id };
    const others = Array.from({ length: 900 }, (_, index) => ({ type: "input_file", file_id: `file-${index}` }));
    const interpreter = { type: "code_interpreter", container: { type: "auto", file_ids: ["file-1", id] } };
    const asked: readonly (readonly [path: string, body: object])[] = [
      ["/v1/responses", { model, input: [{ role: "user", content: [...others, file] }] }],
      ["/v1/responses", { model, input: "hello", tools: [interpreter] }],
      ["/v1/responses", { model, prompt: { id: "pmpt_1", variables: { notes: file } } }],
      ["/v1/images/edits", { model: "gpt-image-1", prompt: "a house", images: [{ file_id: id }] }],
      ["/v1/images/edits", { model: "gpt-image-1", prompt: "a house", images: [{ file_id: "file-1" }], mask: file }],
    ];
    const before = first.requests.length;
    for (const [path, body] of asked) {
      const answer = await gateway.post(path, otherKey, body);
      assert.deepEqual([answer.status, (await errorOf(answer)).code], [404, "not_found"], JSON.stringify(body));
    }
    const many = [...others, ...others.map(({ file_id }) => ({ type: "input_file", file_id: `${file_id}-too` }))];
    const tooMany = await gateway.post("/v1/responses", otherKey, { model, input: [{ role: "user", content: many }] });
    assert.deepEqual([tooMany.status, (await errorOf(tooMany)).code], [400, "too_many_files"]);
    assert.equal(first.requests.length, before);
  });

  it("an Azure resource stores answers and files if its API version can, else answers by chats", async () => {
    const { gateway, first, owner } = await start();
    for (const [model, more] of [
      ["of-today", { other: "2025-04-01-preview" }],
      ["by-v1", { base_url: `${first.at("azure")}/openai/v1` }],
      ["of-old", { other: "2024-10-21" }],
    ] as const) {
      await gateway.addChannel(first, { type: 3, name: model, models: model, key: "azure-key", ...more });
    }
    for (const [model, path, query] of [
      ["of-today", "/openai/responses", "api-version=2025-04-01-preview"],
      ["by-v1", "/openai/v1/responses", ""],
    ] as const) {
      const { id } = await owner.responses.create({ model, input: "hello" });
      const { headers, ...asked } = first.requests.at(-1) ?? assert.fail(model);
      assert.deepEqual([asked.path, asked.query, headers["api-key"]], [path, query, "azure-key"]);
      assert.equal((await owner.responses.retrieve(id)).id, id);
      assert.deepEqual([first.requests.at(-1)?.path, first.requests.at(-1)?.query], [`${path}/${id}`, query]);
      await owner.responses.delete(id);
      await assert.rejects(owner.responses.retrieve(id), isNotFound);
    }
    const old = await owner.responses.create({ model: "of-old", input: "hello" });
    assert.match(first.requests.at(-1)?.path ?? "", /deployments\/of-old\/chat\/completions$/);
    assert.equal(old.output_text, "You said: hello");
    const key = await gateway.addToken({ models: "of-today" });
    const notes = await toFile(Buffer.from("some notes"), "notes.txt");
    const file = await gateway.sdk(key).files.create({ file: notes, purpose: "user_data" });
    assert.equal(first.requests.at(-1)?.path, "/openai/files");
    assert.match(await (await gateway.sdk(key).files.content(file.id)).text(), /of a file/);
    assert.equal(first.requests.at(-1)?.path, `/openai/files/${file.id}/content`);
  });
});
