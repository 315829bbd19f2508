import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChannelConnection } from "@one-api/contract/channels/channel-connection";
import { recordOf } from "../../shared/json-fields.ts";
import { callOf, connectionTo, urlOf } from "../../testing/call-provider.ts";

test("Spark is called with its own model names, at the model's API version, with either kind of key", () => {
  const asked = (model: string, rest: Partial<ChannelConnection> = {}) => {
    const call = callOf(18, connectionTo("", rest), "chat-completions", {}, model);
    const named: unknown = JSON.parse(call.body.toString());
    return [
      recordOf(named).model ?? model,
      new URL(call.address.url).pathname.slice(0, 3),
      call.address.headers.authorization,
    ];
  };
  assert.deepEqual(asked("Spark-Max"), ["generalv3.5", "/v1", "Bearer sk-test"]);
  assert.deepEqual(asked("SparkDesk-v3.1-128K"), ["pro-128k", "/v1", "Bearer sk-test"]);
  assert.deepEqual(asked("SparkDesk"), ["lite", "/v1", "Bearer sk-test"]);
  assert.deepEqual(asked("SparkDesk", { other: "v4.0" }), ["4.0Ultra", "/v1", "Bearer sk-test"]);
  assert.deepEqual(asked("Spark-X1"), ["spark-x", "/v2", "Bearer sk-test"]);
  assert.deepEqual(asked("mine", { key: "app|secret|key" }), ["mine", "/v1", "Bearer key:secret"]);
  assert.equal(
    urlOf(18, "https://spark-api-open.xf-yun.com/v2/"),
    "https://spark-api-open.xf-yun.com/v2/chat/completions",
  );
});
