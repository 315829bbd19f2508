import { expect, test } from "vitest";
import type { Channel } from "@one-api/contract/channels/channel";
import { findProblems } from "../../../lib/validate-form.ts";
import { sampleChannel } from "../testing/sample-channel.ts";
import { type ChannelValues, newChannelValues, storedChannelValues } from "./channel-form-model.ts";
import { channelInput, checkByType } from "./channel-form-problems.ts";

const complete = { ...newChannelValues(), name: "Main", key: "sk-1", models: ["gpt-4o"] };
const stored = sampleChannel({ base_url: "https://a.example.com" });
const storedValues = storedChannelValues(stored);

/** By the schema, then by the type's declaration. */
function validateChannel(values: ChannelValues, channel: Channel | undefined) {
  const { schema, input } = channelInput(values, channel);
  const bySchema = [...findProblems(schema, input)].map(([field, { problem }]): [string, unknown] => [field, problem]);
  const byType = Object.entries(checkByType(values, channel));
  return Object.fromEntries<unknown>([...bySchema, ...byType]);
}

test("[CHFORM-03] [CHFORM-04] [CHFORM-18] a new channel needs name, key and a model", () => {
  expect(validateChannel(newChannelValues(), undefined)).toEqual({
    name: "missing",
    key: "missing",
    models: "models",
  });
  expect(validateChannel(complete, undefined)).toEqual({});
});

test("[CHFORM-18] a proxy needs no model, but an address", () => {
  expect(validateChannel({ ...complete, type: 43, models: [] }, undefined)).toEqual({ base_url: "addressMissing" });
  expect(validateChannel({ ...complete, type: 43, models: [], base_url: "http://10.0.0.3:8080/" }, undefined)).toEqual(
    {},
  );
});

test("[CHFORM-16] types 3 and 8 need an address", () => {
  expect(validateChannel({ ...complete, type: 3 }, undefined)).toEqual({ base_url: "addressMissing" });
  expect(validateChannel({ ...complete, type: 8 }, undefined)).toEqual({ base_url: "addressMissing" });
  expect(validateChannel({ ...complete, base_url: "api.example.com" }, undefined)).toEqual({
    base_url: "not-valid",
  });
});

test("[CHFORM-24] a model mapping must be a JSON object of names", () => {
  expect(validateChannel({ ...complete, model_mapping: "{oops" }, undefined)).toEqual({ model_mapping: "not-valid" });
  expect(validateChannel({ ...complete, model_mapping: '["a"]' }, undefined)).toEqual({ model_mapping: "not-valid" });
  expect(validateChannel({ ...complete, model_mapping: '{"a":"b"}' }, undefined)).toEqual({});
});

test("[CHFORM-08] a changed address or type needs the key again, a trailing slash does not", () => {
  expect(validateChannel(storedValues, stored)).toEqual({});
  expect(validateChannel({ ...storedValues, base_url: "https://a.example.com/" }, stored)).toEqual({});
  expect(validateChannel({ ...storedValues, base_url: "https://b.example.com" }, stored)).toEqual({ key: "keyAgain" });
  expect(validateChannel({ ...storedValues, base_url: "https://b.example.com", key: "sk-2" }, stored)).toEqual({});
  expect(validateChannel({ ...storedValues, type: 20 }, stored)).toEqual({ key: "keyAgain" });
});

test("[CHFORM-05] several lines are several channels only when asked for", () => {
  expect(validateChannel({ ...complete, key: "a\nb" }, undefined)).toEqual({ key: "oneKey" });
  expect(validateChannel({ ...complete, key: "a\nb", isBatch: true }, undefined)).toEqual({});
});

test("[CHFORM-32..35] a key with parts is checked line by line", () => {
  expect(validateChannel({ ...complete, type: 15, key: "api|" }, undefined)).toEqual({ key: "keyForm" });
  expect(validateChannel({ ...complete, type: 15, key: "bce-v3/a/b\napi|secret", isBatch: true }, undefined)).toEqual(
    {},
  );
  expect(validateChannel({ ...complete, type: 18, key: "a|b|c\nd|e|f", isBatch: true }, undefined)).toEqual({});
  expect(validateChannel({ ...complete, type: 22, key: "key-app" }, undefined)).toEqual({});
});

test("[CHFORM-36] the parts of a stored key are all typed again, or none", () => {
  const bedrock = sampleChannel({ type: 33, config: '{"region":"eu-central-1","ak":"AKIA"}' });
  const values = storedChannelValues(bedrock);
  expect(validateChannel(values, bedrock)).toEqual({});
  expect(validateChannel({ ...values, region: "us-east-1" }, bedrock)).toEqual({ sk: "allParts" });
  expect(validateChannel({ ...values, region: "us-east-1", sk: "new" }, bedrock)).toEqual({});
  expect(validateChannel({ ...complete, type: 33, key: "" }, undefined)).toEqual({
    key: "missing",
    region: "partMissing",
    ak: "partMissing",
    sk: "partMissing",
  });
});
