import assert from "node:assert/strict";
import { test } from "node:test";
import { channelTypeInfo, CHANNEL_TYPES } from "@one-api/contract/channels/channel-types";
import { testChannel } from "./testing/test-channel.ts";
import { regionalAddressesOf } from "./provider-facts.ts";

const CONNECTION = { baseUrl: "", key: "", organization: "", other: "", config: {} };
const typeOf = (name: string) => CHANNEL_TYPES.find((info) => info.name === name)?.type ?? assert.fail(name);

test("the address of each key is that of its region; a channel without a known one has none", () => {
  const aws = { ...testChannel(1), type: typeOf("aws"), connection: CONNECTION };
  const key = (id: number, text: string) => ({ id, key: text, end: "", weight: 1 });
  assert.deepEqual(regionalAddressesOf({ ...aws, connection: { ...CONNECTION, key: "id|secret|eu-west-1" } }), [
    "https://bedrock-runtime.eu-west-1.amazonaws.com",
  ]);
  const keys = [key(1, "id|secret|us-east-1"), key(2, "id|secret|cn-north-1"), key(3, "id|secret|nowhere.example")];
  assert.deepEqual(regionalAddressesOf({ ...aws, keys }), [
    "https://bedrock-runtime.us-east-1.amazonaws.com",
    "https://bedrock-runtime.cn-north-1.amazonaws.com.cn",
  ]);
  const vertex = { ...aws, type: typeOf("vertex") };
  const region = (name: string) => ({ ...vertex, connection: { ...CONNECTION, config: { region: name } } });
  assert.deepEqual(regionalAddressesOf(region("europe-west4")), ["https://europe-west4-aiplatform.googleapis.com/"]);
  assert.deepEqual(regionalAddressesOf(region("global")), ["https://aiplatform.googleapis.com/"]);
  assert.deepEqual(regionalAddressesOf({ ...aws, type: 1 }), []);
});

test("every provider with regions tells its address by region", () => {
  for (const { type, name } of CHANNEL_TYPES) {
    if (channelTypeInfo(type)?.regions === undefined) continue;
    const region = name === "aws" ? "eu-west-1" : "europe-west4";
    const channel = { ...testChannel(1), type, connection: { ...CONNECTION, config: { region } } };
    assert.equal(regionalAddressesOf(channel).length, 1, name);
  }
});
