import assert from "node:assert/strict";
import { suite, test, type TestContext } from "node:test";
import { AnthropicVertex } from "@anthropic-ai/vertex-sdk";
import { GoogleGenAI } from "@google/genai";
import { OAuth2Client } from "google-auth-library";
import { collect, withStubServer } from "@one-api/stub-server/testing/with-stub-server";
import { stubAccessToken } from "./google-token.ts";

const model = "gemini-3.5-flash";
const project = "project";

function authClient(token: string): OAuth2Client {
  const client = new OAuth2Client();
  client.setCredentials({ access_token: token, expiry_date: Date.now() + 3_600_000 });
  return client;
}

async function connect(t: TestContext, token: string = stubAccessToken()) {
  const { upstream } = await withStubServer(t);
  const gemini = new GoogleGenAI({
    vertexai: true,
    project,
    location: "global",
    googleAuthOptions: { authClient: authClient(token) },
    httpOptions: { baseUrl: upstream.at("vertex") },
  });
  const claude = new AnthropicVertex({
    projectId: project,
    region: "global",
    baseURL: `${upstream.at("vertex")}/v1`,
    authClient: authClient(token),
    maxRetries: 0,
  });
  return { gemini, claude };
}

suite("Vertex AI through Google's and Anthropic's own SDKs", () => {
  test("Gemini chats, whole and as a stream, counts and makes embeddings", async (t) => {
    const { gemini } = await connect(t);
    const { models } = gemini;
    const whole = await models.generateContent({ model, contents: "hello" });
    assert.equal(whole.text, "You said: hello");
    const chunks = await collect(await models.generateContentStream({ model, contents: "hello" }));
    assert.equal(chunks.map(({ text }) => text ?? "").join(""), "You said: hello");
    assert.ok(((await models.countTokens({ model, contents: "hello" })).totalTokens ?? 0) > 0);
    const vectors = await models.embedContent({
      model: "text-embedding-005",
      contents: ["a", "b"],
      config: { outputDimensionality: 64 },
    });
    assert.deepEqual(
      vectors.embeddings?.map(({ values }) => values?.length),
      [64, 64],
    );
    const newer = await models.embedContent({
      model: "gemini-embedding-2",
      contents: "a",
      config: { outputDimensionality: 32 },
    });
    assert.equal(newer.embeddings?.[0]?.values?.length, 32);
  });

  test("pictures are made by Imagen's method, and inside Gemini's answers", async (t) => {
    const { gemini } = await connect(t);
    const config = { numberOfImages: 2, aspectRatio: "16:9" };
    const { generatedImages = [] } = await gemini.models.generateImages({
      model: "imagen-4.0-generate-001",
      prompt: "a house",
      config,
    });
    assert.deepEqual([generatedImages.length, (generatedImages[0]?.image?.imageBytes ?? "").length > 0], [2, true]);
    const drawn = await gemini.models.generateContent({
      model: "gemini-2.5-flash-image",
      contents: "a house",
      config: { responseModalities: ["TEXT", "IMAGE"], imageConfig: { aspectRatio: "2:3" } },
    });
    assert.ok((drawn.data ?? "").length > 0);
    assert.equal(drawn.usageMetadata?.candidatesTokenCount, 1_290);
  });

  test("Claude chats, whole and as a stream, and counts", async (t) => {
    const { claude } = await connect(t);
    const asked = { model: "claude-opus-5", max_tokens: 50, messages: [{ role: "user" as const, content: "hello" }] };
    const whole = await claude.messages.create(asked);
    assert.deepEqual(whole.content[0]?.type === "text" && whole.content[0].text, "You said: hello");
    let text = "";
    for await (const event of await claude.messages.create({ ...asked, stream: true })) {
      if (event.type === "content_block_delta" && event.delta.type === "text_delta") text += event.delta.text;
    }
    assert.equal(text, "You said: hello");
    const { max_tokens: _most, ...counted } = asked;
    assert.ok((await claude.messages.countTokens(counted)).input_tokens > 0);
  });

  test("an unknown token is refused", async (t) => {
    const { gemini, claude } = await connect(t, "ya29.9999999999.forged");
    await assert.rejects(gemini.models.generateContent({ model, contents: "hello" }), /invalid authentication/);
    const messages = [{ role: "user" as const, content: "hello" }];
    await assert.rejects(claude.messages.create({ model: "claude-opus-5", max_tokens: 5, messages }), { status: 401 });
  });
});
