import { createChannelInputSchema, updateChannelInputSchema } from "@one-api/contract/channels/channel-input";
import { expect, test } from "vitest";
import { sampleChannel } from "../testing/sample-channel.ts";
import {
  assembleConfig,
  assembleKey,
  createChannelPayload,
  newChannelValues,
  storedChannelValues,
  updateChannelPayload,
} from "./channel-form-model.ts";

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

const values = {
  ...newChannelValues(),
  name: " Main ",
  key: " sk-1 ",
  models: ["gpt-4o", "gpt-4o"],
  base_url: "https://a.example.com//",
};

test("[CHFORM-07] [CHFORM-23] [CHFORM-28] [CHFORM-29] a new channel goes out tidied, with its defaults", () => {
  const payload = createChannelPayload(values);
  expect(payload).toEqual({
    type: 1,
    name: "Main",
    key: "sk-1",
    status: 1,
    base_url: "https://a.example.com",
    other: "",
    models: "gpt-4o",
    group: "default",
    model_mapping: "",
    costs: "",
    system_prompt: "",
    organization: "",
    overrides: "",
    dialect_urls: "",
    more_keys: [],
    first_token_seconds: 0,
    idle_seconds: 0,
    total_seconds: 0,
    paused_until: 0,
    key_expires_at: 0,
    test_minutes: -1,
    balance_minutes: -1,
    models_minutes: -1,
    proxy: "",
    soft_limit_usd: 0,
    calc_prompt: true,
    test_model: "",
    scheduled_checks: true,
    config: "",
    priority: 0,
    weight: 0,
    tags: "",
  });
  expect(createChannelInputSchema.safeParse(payload).success).toBe(true);
});

test("[CHFORM-06] [CHSTATE-10] a reserve is saved with status 5", () => {
  expect(createChannelPayload({ ...values, isReserve: true }).status).toBe(5);
});

test("[CHFORM-15] an Azure channel without a version gets the standard one", () => {
  expect(createChannelPayload({ ...values, type: 3 }).other).toBe("2024-03-01-preview");
  expect(createChannelPayload({ ...values, type: 3, other: "2025-01-01" }).other).toBe("2025-01-01");
});

test("[CHFORM-30] [CHFORM-31] an empty priority is left out, a negative weight becomes 0", () => {
  const payload = createChannelPayload({ ...values, priority: "", weight: -4 });
  expect(payload).not.toHaveProperty("priority");
  expect(payload.weight).toBe(0);
});

test("an edit sends the whole channel, with an empty key where the stored one stays and without a state", () => {
  const channel = sampleChannel({ config: '{"user_id":"u"}', type: 34 });
  const payload = updateChannelPayload(storedChannelValues(channel), channel);
  expect(payload).toMatchObject({
    id: 7,
    type: 34,
    name: "Main",
    key: "",
    models: "gpt-4o,gpt-4o-mini",
    priority: 3,
    config: '{"user_id":"u"}',
  });
  expect(payload).not.toHaveProperty("status");
  expect(updateChannelInputSchema.safeParse(payload).success).toBe(true);
});
