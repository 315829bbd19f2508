import { expect, test } from "vitest";
import { assembleConfig, assembleKey } from "./channel-config.ts";
import { newChannelValues } from "./channel-values.ts";

const aws = { ...newChannelValues(), type: 33, region: "eu-central-1", ak: "AKIA", sk: " secret " };
const vertex = {
  ...newChannelValues(),
  type: 42,
  region: "us-central1",
  vertex_ai_project_id: "p-1",
  vertex_ai_adc: '{\n  "type": "service_account"\n}',
};

test("[CHFORM-36] the key of type 33 is ak|sk|region, and its parts are kept in config", () => {
  expect(assembleKey(aws)).toBe("AKIA|secret|eu-central-1");
  expect(JSON.parse(assembleConfig(aws, ""))).toEqual({ region: "eu-central-1", ak: "AKIA", sk: "secret" });
});

test("[CHFORM-37] the key of type 42 is region|project id|credentials on one line", () => {
  expect(assembleKey(vertex)).toBe('us-central1|p-1|{"type":"service_account"}');
  expect(JSON.parse(assembleConfig(vertex, ""))).toEqual({
    region: "us-central1",
    vertex_ai_project_id: "p-1",
    vertex_ai_adc: '{"type":"service_account"}',
  });
});

test("an incomplete key is no key", () => {
  expect(assembleKey({ ...aws, sk: "" })).toBe("");
});

test("config keeps what the form does not know and drops parts of another type", () => {
  const values = { ...newChannelValues(), type: 37, user_id: "acc-1", ak: "left over" };
  expect(JSON.parse(assembleConfig(values, '{"ak":"old","proxy_hint":"x"}'))).toEqual({
    proxy_hint: "x",
    user_id: "acc-1",
  });
  expect(assembleConfig(newChannelValues(), "")).toBe("");
});
