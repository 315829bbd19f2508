import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChannelConnection } from "@one-api/contract/channels/channel-connection";
import type { Endpoint } from "../../provider.ts";
import { connectionTo, EMPTY_BODY, workingProvider } from "../../testing/call-provider.ts";
import { silentIo } from "../../testing/silent-io.ts";

test("Bedrock is called in the region of the key, by the id or the profile of the model, with a signature or with a key of its own", async () => {
  const keyed = (key: string, config: ChannelConnection["config"] = {}) => connectionTo("", { key, config });
  const pair = keyed("AKIDEXAMPLE|secret|eu-central-1");
  const base = "https://bedrock-runtime.eu-central-1.amazonaws.com/model";
  const callFor = async (model: string, connection = pair, endpoint: Endpoint = "chat-completions") => {
    const request = { body: EMPTY_BODY, stream: false, formatHeaders: {} };
    const call = await workingProvider(33).serve(endpoint, model)?.call(request, connection, silentIo);
    return call?.address ?? assert.fail(`Bedrock does not serve ${model}`);
  };
  const urls = [
    ["claude-3-haiku-20240307", "anthropic.claude-3-haiku-20240307-v1%3A0/converse"],
    ["claude-2.1", "anthropic.claude-v2%3A1/converse"],
    ["llama3-8b-8192", "meta.llama3-8b-instruct-v1%3A0/converse"],
    ["claude-3-7-sonnet-latest", "eu.anthropic.claude-3-7-sonnet-20250219-v1%3A0/converse"],
    ["claude-sonnet-4-5", "eu.anthropic.claude-sonnet-4-5-20250929-v1%3A0/converse"],
    ["claude-opus-5-5", "eu.anthropic.claude-opus-5-5/converse"],
    ["us.amazon.nova-pro-v1:0", "us.amazon.nova-pro-v1%3A0/converse"],
    ["arn:aws:bedrock:x:1:inference-profile/../y", "arn%3Aaws%3Abedrock%3Ax%3A1%3Ainference-profile%2F..%2Fy/converse"],
  ];
  for (const [model = "", path] of urls) assert.equal((await callFor(model)).url, `${base}/${path}`);
  assert.equal((await callFor("cohere.embed-v4:0", pair, "embeddings")).url, `${base}/cohere.embed-v4%3A0/invoke`);
  assert.equal(workingProvider(33).serve("embeddings", "claude-opus-5"), undefined);
  const { authorization = "" } = (await callFor("claude-opus-5")).headers;
  assert.match(
    authorization,
    /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/19700101\/eu-central-1\/bedrock\/aws4_request, /,
  );
  const bearer = await callFor("claude-opus-4-1", keyed("bedrock-api-key-1", { region: "cn-north-1" }));
  const china = "https://bedrock-runtime.cn-north-1.amazonaws.com.cn/model";
  assert.equal(bearer.url, `${china}/us.anthropic.claude-opus-4-1-20250805-v1%3A0/converse`);
  assert.deepEqual(bearer.headers, { authorization: "Bearer bedrock-api-key-1" });
  const at = async (region: string, model: string) =>
    (await callFor(model, keyed(`a|b|${region}`))).url.replace(/^.*model\/|%3A.*|\/converse/g, "");
  assert.deepEqual(
    await Promise.all(
      ["us-gov-west-1", "ap-northeast-1", "ap-southeast-2", "sa-east-1"].map((region) => at(region, "claude-opus-5-5")),
    ),
    ["us-gov", "jp", "au", "global"].map((place) => `${place}.anthropic.claude-opus-5-5`),
  );
  assert.equal(await at("ap-northeast-1", "claude-sonnet-4-0"), "apac.anthropic.claude-sonnet-4-20250514-v1");
  await assert.rejects(callFor("m", keyed("bedrock-api-key-1")), /config: region/);
  await assert.rejects(callFor("m", keyed("a|b|evil.example/x")), /a region of the provider/);
});
