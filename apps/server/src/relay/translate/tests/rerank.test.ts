import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import type { StubServer } from "@one-api/stub-server/start-stub-server";
import { CohereClient, CohereClientV2, CohereError } from "cohere-ai";
import { z } from "zod";
import { type RelayTest, startRelayTest } from "../../../testing/start-relay-test.ts";

const RERANK = "/v1/rerank";
const documents = ["Bread is baked.", "A token is a piece of text.", "Rivers flow."];
const query = "What is a token?";

/** Who reranks, by channel type; and whether it tells tokens or searches. */
const RERANKERS = [
  { name: "like Jina", type: 8, model: "jina-reranker-v3", path: RERANK },
  { name: "Cohere", type: 35, model: "rerank-v3.5", path: "/v2/rerank" },
  { name: "SiliconFlow", type: 44, model: "BAAI/bge-reranker-v2-m3", path: RERANK },
  { name: "Alibaba", type: 17, model: "gte-rerank-v2", path: "/api/v1/services/rerank/text-rerank/text-rerank" },
  { name: "Alibaba", type: 17, model: "qwen3-rerank", path: "/compatible-api/v1/reranks" },
] as const;

const answerSchema = z.object({
  model: z.string().optional(),
  results: z.array(
    z.object({ index: z.int(), relevance_score: z.number(), document: z.object({ text: z.string() }).optional() }),
  ),
  usage: z.object({ total_tokens: z.int() }).optional(),
});

let gateway: RelayTest;
let upstream: StubServer;
let key: string;

before(async () => {
  gateway = await startRelayTest();
  upstream = await gateway.upstream();
  for (const { type, model } of RERANKERS) await gateway.addChannel(upstream, { type, name: model, models: model });
  key = await gateway.addToken();
});
after(() => gateway.close());
beforeEach(() => {
  upstream.setBehaviour({ kind: "normal" });
  upstream.clearRequests();
});

const ask = async (model: string, more: object = {}, token = key) => {
  const answer = await gateway.post(RERANK, token, { model, query, documents, ...more });
  return { status: answer.status, text: await answer.text() };
};

describe("reranking", () => {
  for (const { name, model, path } of RERANKERS) {
    it(`by ${name} (${model}) is asked there, answered alike and charged`, async () => {
      const { status, text } = await ask(model, { top_n: 2, return_documents: true });
      assert.equal(status, 200, text);
      const answer = answerSchema.parse(JSON.parse(text));
      const found = answer.results.map(({ index, document }) => [index, document?.text]);
      assert.deepEqual([found.length, found[0]], [2, [1, documents[1]]]);
      assert.equal(upstream.requests.at(-1)?.path, path);
      const log = await gateway.lastLog();
      assert.deepEqual([log.result, log.model_name, log.quota > 0], ["ok", model, true]);
      if (path !== "/v2/rerank") assert.equal(log.prompt_tokens, answer.usage?.total_tokens);
    });
  }

  it("is paid by the search where the model is: $2 for a thousand, each with up to a hundred documents", async () => {
    await ask("rerank-v3.5");
    const one = await gateway.lastLog();
    assert.equal(one.quota, 1_000);
    assert.match(one.detail, /\["search",1,1000\]/);
    await ask("rerank-v3.5", { documents: Array.from({ length: 101 }, () => "x") });
    assert.equal((await gateway.lastLog()).quota, 2_000);
  });

  it("that is not reported is counted: as searches, or as the tokens of query and documents", async () => {
    upstream.setBehaviour({ kind: "malformed", fault: "no-usage" });
    await ask("rerank-v3.5");
    const searched = await gateway.lastLog();
    assert.match(searched.detail, /"rule":"estimated".*\["search",1,1000\]/);
    await ask("jina-reranker-v3");
    const read = await gateway.lastLog();
    assert.match(read.detail, /estimated/);
    assert.ok(read.prompt_tokens > 10 && read.quota > 0);
  });

  it("needs the quota for every document read with the query, before anybody is asked", async () => {
    const poor = await gateway.addToken({ remain_quota: 999 });
    assert.equal((await ask("rerank-v3.5", {}, poor)).status, 403);
    // Sixty dollars a million tokens: 30 quota each, of which 200 × 2,000 are the query's alone.
    const many = { query: "q".repeat(2_000), documents: Array.from({ length: 200 }, () => "x") };
    const short = await gateway.addToken({ remain_quota: 5_000_000 });
    assert.equal((await ask("jina-reranker-v3", many, short)).status, 403);
    assert.equal(upstream.requests.length, 0);
  });

  it("names what is missing, and what the provider refuses", async () => {
    for (const [more, field] of [
      [{ query: "" }, "query"],
      [{ documents: [] }, "documents"],
      [{ documents: "text" }, "documents"],
    ] as const) {
      const { status, text } = await ask("rerank-v3.5", more);
      assert.equal(status, 400);
      assert.match(text, new RegExp(`"param":"${field}"`));
    }
    assert.match((await ask("rerank-v3.5", { documents: [{ image: "x" }] })).text, /documents\.0 must be a text/);
    upstream.setBehaviour({ kind: "refuse", status: 400, message: "top_n is out of range" });
    assert.match((await ask("rerank-v3.5", { top_n: 9 })).text, /top_n is out of range/);
    assert.equal((await gateway.books()).differences, 0);
  });

  it("is understood by Cohere's own clients, of both versions", async () => {
    const settings = { environment: gateway.url, token: key, maxRetries: 0 };
    const newer = new CohereClientV2(settings);
    const { results, meta } = await newer.rerank({ model: "rerank-v3.5", query, documents, topN: 1 });
    assert.deepEqual([results[0]?.index, meta?.billedUnits?.searchUnits], [1, 1]);
    const elsewhere = await newer.rerank({ model: "jina-reranker-v3", query, documents });
    assert.equal(elsewhere.results.length, 3);
    const older = new CohereClient(settings);
    const told = await older.rerank({ model: "rerank-v3.5", query, documents, returnDocuments: true });
    assert.deepEqual([told.results[0]?.index, told.results[0]?.document?.text], [1, documents[1]]);
    await assert.rejects(
      newer.rerank({ model: "nobody-has-it", query, documents }),
      (error) => error instanceof CohereError && error.statusCode === 404 && /nobody-has-it/.test(error.message),
    );
  });
});
