import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChannelConnection } from "@one-api/contract/channel-connection";
import { providerOf } from "./registry.ts";

const connectionTo = (baseUrl: string): ChannelConnection => ({
  baseUrl,
  key: "sk-test",
  organization: "",
  other: "",
  config: {},
});

async function ask(type: number, answer: unknown, baseUrl = "") {
  const provider = providerOf(type);
  assert.ok(provider?.listModels !== undefined, `type ${type} lists its models`);
  const questions: { url: string; headers: Readonly<Record<string, string>> }[] = [];
  const models = await provider.listModels(connectionTo(baseUrl), async (url, headers) => {
    questions.push({ url, headers });
    return answer;
  });
  return { models, questions };
}

const openAiList = (...ids: readonly string[]) => ({
  object: "list",
  data: ids.map((id) => ({ id, object: "model" })),
});

/** Where each provider's documentation says that its models are listed. */
const addresses: readonly (readonly [type: number, url: string, baseUrl?: string])[] = [
  [1, "https://api.openai.com/v1/models"],
  [8, "http://localhost:8000/v1/models", "http://localhost:8000"],
  [8, "https://host.example/v1/models", "https://host.example/v1"],
  [20, "https://openrouter.ai/api/v1/models"],
  [25, "https://api.moonshot.cn/v1/models"],
  [27, "https://api.minimaxi.com/v1/models"],
  [28, "https://api.mistral.ai/v1/models"],
  [29, "https://api.groq.com/openai/v1/models"],
  [32, "https://api.stepfun.com/v1/models"],
  [36, "https://api.deepseek.com/v1/models"],
  [39, "https://api.together.ai/v1/models"],
  [41, "https://api.novita.ai/openai/v1/models"],
  [41, "https://api.novita.ai/v3/openai/models", "https://api.novita.ai/v3/openai"],
  [44, "https://api.siliconflow.cn/v1/models"],
  [45, "https://api.x.ai/v1/models"],
];

for (const [type, url, baseUrl] of addresses) {
  test(`[OPER-53] type ${type} lists its models at ${url}`, async () => {
    const { models, questions } = await ask(type, openAiList("b-model", "a-model", "b-model"), baseUrl);
    assert.deepEqual(models, ["b-model", "a-model"]);
    assert.deepEqual(questions, [{ url, headers: { authorization: "Bearer sk-test" } }]);
  });
}

test("[OPER-53] Cloudflare's models are those that answer and embed, page by page", async () => {
  const model = (name: string, task: string) => ({ name, task: { name: task } });
  const pages = [
    Array.from({ length: 100 }, (_, index) => model(`@cf/m${index}`, index < 98 ? "Text Generation" : "Text-to-Image")),
    [model("@cf/bge", "Text Embeddings"), model("@cf/m0", "Text Generation")],
  ];
  const asked: string[] = [];
  const models = await providerOf(37)?.listModels?.(
    { ...connectionTo(""), config: { user_id: "acc" } },
    async (url) => {
      asked.push(url);
      return { success: true, result: pages[asked.length - 1] };
    },
  );
  assert.deepEqual([models?.length, models?.at(-1), asked.length], [99, "@cf/bge", 2]);
  assert.match(asked[1] ?? "", /\/accounts\/acc\/ai\/models\/search\?per_page=100&page=2$/);
});

test("[OPER-53] Anthropic lists its models a thousand to the page", async () => {
  const { models, questions } = await ask(14, openAiList("claude-opus-5"));
  assert.deepEqual(models, ["claude-opus-5"]);
  assert.deepEqual(questions, [
    {
      url: "https://api.anthropic.com/v1/models?limit=1000",
      headers: { "x-api-key": "sk-test", "anthropic-version": "2023-06-01" },
    },
  ]);
});

test("a bare list, as together.ai sends it, is read; entries without a name are left out", async () => {
  const { models } = await ask(39, [{ id: "meta-llama/Llama-3.3-70B", type: "chat" }, { id: "" }, {}, null, "text"]);
  assert.deepEqual(models, ["meta-llama/Llama-3.3-70B"]);
});

test("what is no list is an error, so that no account passes for one without models", async () => {
  for (const answer of [{ error: { message: "no" } }, {}, null, "<html>", { data: { id: "x" } }]) {
    await assert.rejects(ask(1, answer), /no list of models/);
    await assert.rejects(ask(3, answer, "https://res.openai.azure.com"), /no list of models/);
  }
  assert.deepEqual((await ask(1, { data: [] })).models, []);
});

test("Azure lists the deployments that are ready, by the names that requests use", async () => {
  const answer = {
    data: [
      { id: "my-gpt", model: "gpt-4o", status: "succeeded" },
      { id: "being-made", model: "gpt-4o", status: "creating" },
      { id: "old", model: "gpt-35-turbo", status: "failed" },
    ],
  };
  for (const baseUrl of ["https://res.openai.azure.com", "https://res.openai.azure.com/openai/v1"]) {
    const { models, questions } = await ask(3, answer, baseUrl);
    assert.deepEqual(models, ["my-gpt"]);
    assert.deepEqual(questions, [
      {
        url: "https://res.openai.azure.com/openai/deployments?api-version=2022-12-01",
        headers: { "api-key": "sk-test" },
      },
    ]);
  }
  await assert.rejects(ask(3, answer, "https://gateway.ai.cloudflare.com/v1/a/g/azure-openai/r"), /Cloudflare/);
});

test("providers without such a list have no such question", () => {
  for (const type of [16, 19, 22, 26, 40]) {
    const provider = providerOf(type);
    assert.ok(provider?.listModels === undefined, `type ${type}`);
  }
});

test("[OPER-53] Cohere lists what chats or embeds, page by page", async () => {
  const pages = [
    { models: [{ name: "command-a-03-2025", endpoints: ["chat"] }], next_page_token: "p2" },
    {
      models: [
        { name: "embed-v4.0", endpoints: ["embed"] },
        { name: "rerank-v4.0-pro", endpoints: ["rerank"] },
      ],
    },
  ];
  const asked: string[] = [];
  const models = await providerOf(35)?.listModels?.(connectionTo("https://api.cohere.com/v1"), async (url) => {
    asked.push(url);
    return pages[asked.length - 1];
  });
  assert.deepEqual(models, ["command-a-03-2025", "embed-v4.0"]);
  assert.deepEqual(asked, [
    "https://api.cohere.com/v1/models?page_size=1000",
    "https://api.cohere.com/v1/models?page_size=1000&page_token=p2",
  ]);
  await assert.rejects(ask(35, { message: "invalid api token" }), /no list of models/);
});
