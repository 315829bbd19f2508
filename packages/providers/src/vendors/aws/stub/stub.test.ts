import assert from "node:assert/strict";
import { suite, test, type TestContext } from "node:test";
import {
  BedrockRuntimeClient,
  ConverseCommand,
  type ConverseCommandInput,
  ConverseStreamCommand,
  InvokeModelCommand,
} from "@aws-sdk/client-bedrock-runtime";
import { NodeHttpHandler } from "@smithy/node-http-handler";
import type { Behaviour } from "../../../stub-kit/behaviour.ts";
import { withStubServer } from "@one-api/stub-server/testing/with-stub-server";
import { STUB_AWS_KEY } from "./check-signature.ts";

const modelId = "anthropic.claude-3-haiku-20240307-v1:0";
const messages: ConverseCommandInput["messages"] = [{ role: "user", content: [{ text: "hello" }] }];
const json = { type: "object", properties: { city: { type: "string" } } };
const toolConfig = { tools: [{ toolSpec: { name: "weather", inputSchema: { json } } }], toolChoice: { any: {} } };

async function connect(
  t: TestContext,
  secret: string = STUB_AWS_KEY.secret,
  behaviour: Behaviour = { kind: "normal" },
) {
  const { upstream } = await withStubServer(t, { behaviour });
  const client = new BedrockRuntimeClient({
    region: "eu-central-1",
    endpoint: upstream.at("aws"),
    credentials: { accessKeyId: STUB_AWS_KEY.id, secretAccessKey: secret },
    maxAttempts: 1,
    // The default is HTTP/2.
    requestHandler: new NodeHttpHandler(),
  });
  t.after(() => client.destroy());
  return client;
}

suite("Bedrock's API through AWS's own SDK", () => {
  test("chats, whole and as a stream, with thoughts", async (t) => {
    const client = await connect(t);
    const additionalModelRequestFields = { thinking: { type: "enabled", budget_tokens: 1_024 } };
    const whole = await client.send(new ConverseCommand({ modelId, messages, additionalModelRequestFields }));
    const [thought, said] = whole.output?.message?.content ?? [];
    assert.notEqual(thought?.reasoningContent?.reasoningText?.signature ?? "", "");
    assert.deepEqual([said?.text, whole.stopReason, whole.usage?.outputTokens], ["You said: hello", "end_turn", 3]);
    const asked = { modelId, messages, inferenceConfig: { maxTokens: 2 }, additionalModelRequestFields };
    const { stream } = await client.send(new ConverseStreamCommand(asked));
    const seen = { text: "", thought: "", end: "", counted: 0 };
    for await (const event of stream ?? []) {
      seen.text += event.contentBlockDelta?.delta?.text ?? "";
      seen.thought += event.contentBlockDelta?.delta?.reasoningContent?.text ?? "";
      seen.end = event.messageStop?.stopReason ?? seen.end;
      seen.counted = event.metadata?.usage?.outputTokens ?? seen.counted;
    }
    assert.deepEqual(seen, { text: "You said:", thought: "They want an answer.", end: "max_tokens", counted: 2 });
  });

  test("calls tools, whole and as a stream", async (t) => {
    const client = await connect(t);
    const whole = await client.send(new ConverseCommand({ modelId, messages, toolConfig }));
    assert.deepEqual(whole.output?.message?.content?.[0]?.toolUse?.input, { city: "hello" });
    const { stream } = await client.send(new ConverseStreamCommand({ modelId, messages, toolConfig }));
    let input = "";
    for await (const event of stream ?? []) input += event.contentBlockDelta?.delta?.toolUse?.input ?? "";
    assert.equal(input, '{"city":"hello"}');
  });

  test("makes embeddings", async (t) => {
    const client = await connect(t);
    const body = JSON.stringify({ inputText: "hello", dimensions: 256 });
    const answer = await client.send(new InvokeModelCommand({ modelId: "amazon.titan-embed-text-v2:0", body }));
    const told: unknown = JSON.parse(answer.body.transformToString());
    assert.ok(typeof told === "object" && told !== null && "embedding" in told && "inputTextTokenCount" in told);
    assert.ok(Array.isArray(told.embedding) && told.embedding.length === 256);
  });

  test("makes pictures, and gives the reason for none", async (t) => {
    const client = await connect(t);
    const ask = async (prompt: string): Promise<unknown> => {
      const body = JSON.stringify({ prompt, aspect_ratio: "3:2" });
      const answer = await client.send(new InvokeModelCommand({ modelId: "stability.stable-image-core-v1:1", body }));
      return JSON.parse(answer.body.transformToString());
    };
    assert.match(JSON.stringify(await ask("a house")), /"finish_reasons":\[null\],"images":\["iVBORw0KGgo/);
    assert.deepEqual(await ask("[[filtered]]"), { finish_reasons: ["Filter reason: prompt"] });
  });

  test("refuses wrong signatures and what Converse refuses, by the names of the exceptions", async (t) => {
    const forged = await connect(t, "another secret");
    await assert.rejects(forged.send(new ConverseCommand({ modelId, messages })), {
      name: "InvalidSignatureException",
    });
    const client = await connect(t);
    const hot = new ConverseCommand({ modelId, messages, inferenceConfig: { temperature: 2 } });
    await assert.rejects(client.send(hot), { name: "ValidationException" });
  });

  test("ends a stream with an exception", async (t) => {
    const client = await connect(t, STUB_AWS_KEY.secret, { kind: "error-in-stream" });
    const { stream } = await client.send(new ConverseStreamCommand({ modelId, messages }));
    const read = async () => {
      for await (const event of stream ?? []) assert.ok(event.$unknown === undefined);
    };
    await assert.rejects(read(), { name: "ModelStreamErrorException" });
  });
});
