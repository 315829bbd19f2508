import assert from "node:assert/strict";
import { test } from "node:test";
import { CHANNEL_TYPES } from "@one-api/contract/channels/channel-types";
import type { Endpoint } from "../../provider.ts";
import { silentIo } from "../../testing/silent-io.ts";
import { qwen } from "./vendor.ts";

const type = CHANNEL_TYPES.find(({ name }) => name === "qwen")?.type ?? assert.fail();

function urlOf(baseUrl: string, endpoint: Endpoint, model: string): string {
  const request = { body: Buffer.from("{}"), stream: false, formatHeaders: {} };
  const connection = { baseUrl, key: "sk-test", organization: "", other: "", config: {} };
  const call = qwen(type).serve(endpoint, model)?.call(request, connection, silentIo);
  assert.ok(call !== undefined && !(call instanceof Promise));
  return call.address.url;
}

for (const [host, path] of [
  ["https://dashscope-intl.aliyuncs.com", ""],
  ["https://dashscope-intl.aliyuncs.com", "/compatible-mode/v1"],
  ["https://dashscope-intl.aliyuncs.com", "/compatible-mode/v1/"],
  ["https://proxy.example/qwen", "/compatible-mode/v1"],
] as const) {
  test(`each API has its path at the address ${host}${path}`, () => {
    assert.equal(urlOf(host + path, "chat-completions", "qwen-max"), `${host}/compatible-mode/v1/chat/completions`);
    assert.equal(urlOf(host + path, "rerank", "qwen3-rerank"), `${host}/compatible-api/v1/reranks`);
    assert.equal(
      urlOf(host + path, "rerank", "gte-rerank-v2"),
      `${host}/api/v1/services/rerank/text-rerank/text-rerank`,
    );
  });
}
