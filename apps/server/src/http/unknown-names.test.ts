import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type Call, nothing } from "@one-api/contract/call";
import { listCalls } from "@one-api/contract/testing/list-calls";
import { ONE_API_CALLS } from "@one-api/contract/unknown-names/one-api-calls";
import { z } from "zod";
import { createTestApp, type TestApp } from "../testing/create-test-app.ts";
import type { TestAnswer, TestClient, TestInput } from "../testing/test-client.ts";

const refusalSchema = z.object({
  code: z.string(),
  message: z.string(),
  field: z.string().optional(),
  values: z.looseObject({ problem: z.string(), nearest: z.string().optional() }).optional(),
});

const nameOf = ({ method, path }: Pick<Call, "method" | "path">) => `${method} ${path}`;

const isOneApis = (call: Call) => ONE_API_CALLS.has(nameOf(call));

/** Fields of rows that clients of One API and new-api send back. */
const ROWS_OF_OTHERS = {
  "/api/channel/":
    "id type key openai_organization test_model status name weight created_time test_time response_time base_url other balance balance_updated_time models group used_quota model_mapping status_code_mapping priority auto_ban other_info tag setting settings param_override header_override remark channel_info config system_prompt",
  "/api/token/":
    "id user_id key status name created_time accessed_time expired_time remain_quota unlimited_quota used_quota models subnet model_limits_enabled model_limits allow_ips group cross_group_retry DeletedAt",
  "/api/user/":
    "id username password original_password display_name role status email github_id discord_id oidc_id wechat_id telegram_id lark_id verification_code access_token quota used_quota request_count group aff_code aff_count aff_quota aff_history_quota inviter_id linux_do_id setting remark stripe_customer DeletedAt",
  "/api/redemption/":
    "id user_id key status name quota created_time redeemed_time count used_user_id expired_time DeletedAt",
};

describe("parameters and fields that a call does not take", () => {
  let testApp: TestApp;
  let calls: Call[];
  before(async () => {
    testApp = await createTestApp();
    calls = await listCalls();
  });
  after(() => testApp.close());

  /** Some calls end the session that makes them. */
  const rootClient = async (): Promise<TestClient> => (await testApp.logInAs("root")).client;

  async function send(call: Call, input: TestInput): Promise<TestAnswer> {
    const path = call.path.replace(/:\w+/g, "999999999");
    return (await rootClient()).send({ method: call.method, path }, input);
  }

  const refusalOf = ({ text }: TestAnswer) => refusalSchema.parse(JSON.parse(text));

  const isUnknown = (answer: TestAnswer, field: string) => {
    if (answer.status !== 400) return false;
    const refusal = refusalOf(answer);
    return refusal.field === field && refusal.values?.problem === "unknown";
  };

  const isPublicText = (call: Call) => isOneApis(call) && call.access === "anyone" && call.query === nothing;

  test("every call refuses an unknown parameter by its name, but One API's public ones without any", async () => {
    assert.ok(calls.some((call) => isPublicText(call) && call.path === "/api/status"));
    for (const call of calls) {
      const answer = await send(call, { query: { xyzzy: "1" }, ...(call.method === "GET" ? {} : { body: {} }) });
      assert.equal(isUnknown(answer, "xyzzy"), !isPublicText(call), `${nameOf(call)}: ${answer.status} ${answer.text}`);
    }
  });

  test("every call of One API ignores an empty parameter, and what its consoles send", async () => {
    for (const call of calls.filter(isOneApis)) {
      const query = { xyzzy: "", page_size: "10", id_sort: "true" };
      const answer = await send(call, { query, ...(call.method === "GET" ? {} : { body: {} }) });
      assert.ok(
        Object.keys(query).every((name) => !isUnknown(answer, name)),
        `${nameOf(call)}: ${answer.text}`,
      );
    }
  });

  test("every call with a body refuses an unknown field, unless One API has the call", async () => {
    for (const call of calls.filter(({ body }) => body !== nothing)) {
      const answer = await send(call, { body: { xyzzy: 1 } });
      assert.equal(isUnknown(answer, "xyzzy"), !isOneApis(call), `${nameOf(call)}: ${answer.status} ${answer.text}`);
    }
  });

  test("every call of One API that is listed exists", () => {
    const names = new Set(calls.map(nameOf));
    for (const name of ONE_API_CALLS) assert.ok(names.has(name), name);
  });

  for (const [address, message] of [
    ["/api/log/?chanel=3", "chanel is no parameter of this call. Did you mean channel?"],
    ["/api/audit/?page_size=100", "page_size is no parameter of this call. Did you mean size?"],
    ["/api/notice?x=1", undefined],
    ["/api/user/groups?x=1", "x is no parameter of this call. It takes none."],
  ] as const)
    test(`${address} is ${message === undefined ? "answered" : "refused with the nearest name"}`, async () => {
      const answer = await (await rootClient()).send({ method: "GET", path: address });
      assert.equal(answer.status, message === undefined ? 200 : 400, answer.text);
      if (message !== undefined) assert.equal(refusalOf(answer).message, message);
    });

  for (const [method, path, body, message] of [
    ["POST", "/api/token/", { name: "x", modles: "gpt-4o" }, "modles is no field of this call. Did you mean models?"],
    [
      "POST",
      "/api/token/",
      { name: "x", subnets: "10.0.0.0/8" },
      "subnets is no field of this call. Did you mean subnet?",
    ],
    [
      "PUT",
      "/api/token/",
      { id: 1, remain_qouta: 5 },
      "remain_qouta is no field of this call. Did you mean remain_quota?",
    ],
    ["PUT", "/api/channel/", { id: 1, wieght: 5 }, "wieght is no field of this call. Did you mean weight?"],
    [
      "POST",
      "/api/redemption/",
      { name: "x", qoota: 5, qutoa: 5 },
      "qutoa is no field of this call. Did you mean quota?",
    ],
  ] as const)
    test(`${method} ${path} of One API refuses a misspelled field: ${message}`, async () => {
      const answer = await (await rootClient()).send({ method, path }, { body });
      assert.deepEqual([answer.status, refusalOf(answer).message], [400, message]);
    });

  for (const [path, row] of Object.entries(ROWS_OF_OTHERS))
    test(`rows of One API and new-api are taken, whole or in part: ${path}`, async () => {
      const client = await rootClient();
      for (const name of row.split(" "))
        for (const method of ["POST", "PUT"] as const) {
          const answer = await client.send({ method, path }, { body: { [name]: null } });
          assert.ok(!isUnknown(answer, name), `${method}: ${answer.text}`);
        }
    });

  test("the console of a later release is answered during an update", async () => {
    const client = await rootClient();
    const answer = await client.send(
      { method: "GET", path: "/api/audit/?xyzzy=1" },
      { headers: { "sec-fetch-site": "same-origin" } },
    );
    assert.equal(answer.status, 200, answer.text);
  });

  test("a field within an object is refused by its path", async () => {
    const body = {
      name: "x",
      kind: "mail",
      address: "a@b.c",
      alerts: [],
      quiet_hours: { start: "22:00", ende: "07:00" },
    };
    const answer = await (await rootClient()).send({ method: "POST", path: "/api/receiver/" }, { body });
    assert.equal(
      refusalOf(answer).message,
      "quiet_hours.ende is no field of this call. Did you mean end?",
      answer.text,
    );
  });
});
