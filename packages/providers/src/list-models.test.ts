import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChannelConnection } from "@one-api/contract/channels/channel-connection";
import { providerOf } from "./registry.ts";
import { silentIo } from "./testing/silent-io.ts";

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
  const getJson = async (url: string, headers: Readonly<Record<string, string>>) => {
    questions.push({ url, headers });
    return answer;
  };
  const models = await provider.listModels(connectionTo(baseUrl), getJson, silentIo);
  return { models, questions };
}

const openAiList = (...ids: readonly string[]) => ({
  object: "list",
  data: ids.map((id) => ({ id, object: "model" })),
});

/** Addresses of model lists in each provider's documentation. */
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

test("[OPER-53] Cloudflare lists models for chats and embeddings, page by page", async () => {
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
    silentIo,
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

test("a bare list, as of together.ai, is read; entries without a name are omitted", async () => {
  const { models } = await ask(39, [{ id: "meta-llama/Llama-3.3-70B", type: "chat" }, { id: "" }, {}, null, "text"]);
  assert.deepEqual(models, ["meta-llama/Llama-3.3-70B"]);
});

test("an answer without a list is an error, not an account without models", async () => {
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

test("providers without a list have no listModels", () => {
  for (const type of [16, 19, 22, 26, 40]) {
    const provider = providerOf(type);
    assert.ok(provider?.listModels === undefined, `type ${type}`);
  }
});

test("[OPER-53] Cohere lists models for chats, embeddings or reranking, page by page", async () => {
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
  const models = await providerOf(35)?.listModels?.(
    connectionTo("https://api.cohere.com/v1"),
    async (url) => {
      asked.push(url);
      return pages[asked.length - 1];
    },
    silentIo,
  );
  assert.deepEqual(models, ["command-a-03-2025", "embed-v4.0", "rerank-v4.0-pro"]);
  assert.deepEqual(asked, [
    "https://api.cohere.com/v1/models?page_size=1000",
    "https://api.cohere.com/v1/models?page_size=1000&page_token=p2",
  ]);
  await assert.rejects(ask(35, { message: "invalid api token" }), /no list of models/);
});

test("Bedrock lists directly callable models and profiles of the others, signed, page by page", async () => {
  const model = (modelId: string, modality: string, kind: string, status = "ACTIVE") => ({
    modelId,
    outputModalities: [modality],
    inferenceTypesSupported: [kind],
    modelLifecycle: { status },
  });
  const profile = (inferenceProfileId: string) => ({ inferenceProfileId, status: "ACTIVE" });
  const answers = [
    {
      modelSummaries: [
        model("amazon.nova-pro-v1:0", "TEXT", "ON_DEMAND"),
        model("anthropic.claude-opus-5", "TEXT", "INFERENCE_PROFILE"),
        model("amazon.titan-embed-text-v2:0", "EMBEDDING", "ON_DEMAND"),
        model("amazon.nova-canvas-v1:0", "IMAGE", "ON_DEMAND"),
        model("meta.llama2-13b-chat-v1", "TEXT", "ON_DEMAND", "LEGACY"),
      ],
    },
    { inferenceProfileSummaries: [profile("eu.anthropic.claude-opus-5")], nextToken: "a b" },
    { inferenceProfileSummaries: [profile("global.anthropic.claude-opus-5"), profile("us.stability.image-v1:0")] },
  ];
  const asked: string[] = [];
  const models = await providerOf(33)?.listModels?.(
    { ...connectionTo(""), key: "AKIDEXAMPLE|secret|eu-west-1" },
    async (url, { authorization = "" }) => {
      assert.match(authorization, /^AWS4-HMAC-SHA256 /);
      asked.push(url);
      return answers[asked.length - 1];
    },
    silentIo,
  );
  assert.deepEqual(models, [
    "amazon.nova-pro-v1:0",
    "amazon.titan-embed-text-v2:0",
    "eu.anthropic.claude-opus-5",
    "global.anthropic.claude-opus-5",
  ]);
  const base = "https://bedrock.eu-west-1.amazonaws.com";
  const profiles = `${base}/inference-profiles?maxResults=1000`;
  assert.deepEqual(asked, [`${base}/foundation-models`, profiles, `${profiles}&nextToken=a+b`]);
});

test("Vertex AI lists Google's and Anthropic's supported models, page by page", async () => {
  const named = (...names: readonly string[]) => ({ publisherModels: names.map((name) => ({ name })) });
  const google = "publishers/google/models";
  const answers = [
    {
      ...named(`${google}/gemini-3.5-flash`, `${google}/imagen-4.0`, `${google}/gemini-3-pro-image`),
      nextPageToken: "2",
    },
    named(`${google}/gemini-embedding-001`, `${google}/veo-3`),
    named("publishers/anthropic/models/claude-opus-5"),
  ];
  const asked: string[] = [];
  const models = await providerOf(42)?.listModels?.(
    { ...connectionTo(""), config: { region: "global", vertex_ai_project_id: "p" } },
    async (url, headers) => {
      assert.deepEqual(headers, { "x-goog-api-key": "sk-test", "x-goog-user-project": "p" });
      asked.push(url.replace("https://aiplatform.googleapis.com/v1beta1/publishers/", ""));
      return answers[asked.length - 1];
    },
    silentIo,
  );
  assert.deepEqual(models, ["gemini-3.5-flash", "gemini-embedding-001", "claude-opus-5"]);
  const query = "models?pageSize=200";
  assert.deepEqual(asked, [`google/${query}`, `google/${query}&pageToken=2`, `anthropic/${query}`]);
});
