import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { ONE_API_CALLS } from "@one-api/contract/unknown-names/one-api-calls";
import { z } from "zod";
import { createTestApp, type TestApp } from "../testing/create-test-app.ts";

const TOKEN_FIELDS =
  "name remain_quota unlimited_quota expired_time rpm_limit dpm_limit tpm_limit email custom_contact moderations_enable models subnet";
const CHANNEL_FIELDS =
  "name type key base_url status other model_mapping system_prompt models group organization soft_limit_usd calc_prompt config priority weight";
const LOG_FILTERS = "p type token_name model_name start_timestamp end_timestamp";
const TOTAL_FILTERS = LOG_FILTERS.slice(2);

/** One API's calls: the lines of the specification, who makes them, and what they take; of that with an exclamation mark all has to be there. */
const CALLS: readonly (readonly [lines: string, access: "anyone" | "user" | "admin", call: string, takes?: string])[] =
  [
    ["[CALL-11]", "anyone", "GET /api/status"],
    ["[CALL-12]", "user", "GET /api/models"],
    ["[CALL-13]", "anyone", "POST /api/user/login", "username! password!"],
    [
      "[CALL-14]",
      "anyone",
      "POST /api/user/register",
      "turnstile username! password! password2 email verification_code aff_code",
    ],
    ["[CALL-15]", "anyone", "GET /api/verification", "email! turnstile"],
    ["[CALL-16]", "anyone", "GET /api/user/logout"],
    ["[CALL-17]", "anyone", "GET /api/oauth/state"],
    ["[CALL-18]", "anyone", "GET /api/oauth/wechat", "code!"],
    ["[CALL-19]", "user", "GET /api/oauth/wechat/bind", "code!"],
    ["[CALL-20]", "user", "GET /api/oauth/email/bind", "email! code!"],
    ["[CALL-21]", "anyone", "GET /api/oauth/github", "code! state!"],
    ["[CALL-22]", "anyone", "GET /api/oauth/lark", "code! state!"],
    ["[CALL-23]", "anyone", "GET /api/reset_password", "email! turnstile"],
    ["[CALL-24]", "anyone", "POST /api/user/reset", "email! token!"],
    ["[CALL-25]", "user", "GET /api/user/token"],
    ["[CALL-26]", "user", "GET /api/user/aff"],
    ["[CALL-27]", "user", "DELETE /api/user/self"],
    ["[CALL-28]", "admin", "GET /api/user/", "p order"],
    ["[CALL-30]", "admin", "GET /api/user/search", "keyword!"],
    ["[CALL-31]", "admin", "POST /api/user/manage", "username! action!"],
    ["[CALL-33]", "admin", "GET /api/user/{id}"],
    ["[CALL-34]", "user", "GET /api/user/self"],
    ["[CALL-35]", "admin", "PUT /api/user/", "id! username display_name password group quota"],
    ["[CALL-36]", "user", "PUT /api/user/self", "username display_name password"],
    ["[CALL-37]", "admin", "POST /api/user/", "username! display_name password!"],
    ["[CALL-38]", "admin", "GET /api/group/"],
    ["[CALL-39]", "user", "GET /api/user/available_models"],
    ["[CALL-40]", "user", "POST /api/user/topup", "key!"],
    ["", "admin", "POST /api/topup", "user_id! quota! remark"],
    ["[CALL-41] [ROLE-11]", "admin", "GET /api/option/"],
    ["[CALL-42] [ROLE-11]", "admin", "PUT /api/option/", "key! value!"],
    ["[CALL-43]", "admin", "POST /api/channel/update_abilities"],
    ["[CALL-44]", "admin", "DELETE /api/log/", "target_timestamp!"],
    ["[CALL-45]", "admin", "GET /api/channel/", "p"],
    ["[CALL-46]", "admin", "GET /api/channel/search", "keyword!"],
    ["[CALL-47]", "admin", "PUT /api/channel/", `id! ${CHANNEL_FIELDS}`],
    ["[CALL-48]", "admin", "POST /api/channel/", CHANNEL_FIELDS.replace("name type", "name! type!")],
    ["[CALL-49]", "admin", "DELETE /api/channel/{id}/"],
    ["[CALL-50]", "admin", "DELETE /api/channel/disabled"],
    ["[CALL-51]", "admin", "GET /api/channel/test", "scope"],
    ["[CALL-52]", "admin", "GET /api/channel/test/{id}", "model"],
    ["[CALL-54]", "admin", "GET /api/channel/update_balance/{id}/"],
    ["[CALL-56]", "admin", "GET /api/channel/{id}"],
    ["[CALL-57]", "admin", "GET /api/channel/models"],
    ["[CALL-58]", "user", "GET /api/token/", "p order"],
    ["[CALL-59]", "user", "GET /api/token/search", "keyword!"],
    ["[CALL-60] [CALL-65]", "user", "PUT /api/token/", `status_only id! status recharge_quota ${TOKEN_FIELDS}`],
    ["[CALL-61]", "user", "DELETE /api/token/{id}/"],
    ["[CALL-62]", "user", "POST /api/token/alert", "alertType! id!"],
    ["[CALL-64]", "user", "GET /api/token/{id}"],
    ["[CALL-66]", "user", "POST /api/token/", `batch_number ${TOKEN_FIELDS.replace("name", "name!")}`],
    ["[CALL-67]", "admin", "GET /api/redemption/", "p"],
    ["[CALL-68]", "admin", "GET /api/redemption/search", "keyword!"],
    ["[CALL-69] [CALL-72]", "admin", "PUT /api/redemption/", "status_only id! name quota status"],
    ["[CALL-70]", "admin", "DELETE /api/redemption/{id}/"],
    ["[CALL-71]", "admin", "GET /api/redemption/{id}"],
    ["[CALL-73]", "admin", "POST /api/redemption/", "name! quota count"],
    ["[CALL-74] [CALL-75]", "admin", "GET /api/log/", `${LOG_FILTERS} username channel`],
    ["[CALL-76]", "user", "GET /api/log/self/", LOG_FILTERS],
    ["[CALL-77]", "admin", "GET /api/log/stat", `${TOTAL_FILTERS} username channel`],
    ["[CALL-78]", "user", "GET /api/log/self/stat", TOTAL_FILTERS],
  ];

const bodySchema = z.looseObject({
  content: z.object({
    "application/json": z.object({
      schema: z.looseObject({
        properties: z.record(z.string(), z.unknown()).default({}),
        required: z.array(z.string()).default([]),
      }),
    }),
  }),
});
const operationSchema = z.looseObject({
  "x-access": z.string(),
  parameters: z
    .array(z.looseObject({ name: z.string(), in: z.string(), required: z.boolean().default(false) }))
    .default([]),
  requestBody: bodySchema.optional(),
});
const documentSchema = z.object({ paths: z.record(z.string(), z.record(z.string(), operationSchema)) });

describe("the calls of One API's management API", () => {
  let testApp: TestApp;
  const operations = new Map<string, z.output<typeof operationSchema>>();
  before(async () => {
    testApp = await createTestApp();
    const { paths } = documentSchema.parse((await testApp.app.inject("/api/openapi.json")).json());
    for (const [path, methods] of Object.entries(paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        operations.set(`${method.toUpperCase()} ${path}`, operation);
      }
    }
  });
  after(() => testApp.close());

  for (const [lines, access, call, takes = ""] of CALLS) {
    test(`${lines} ${call} is for ${access}, takes what it took, and asks for nothing more [START-08] [START-09]`, () => {
      const {
        "x-access": real,
        parameters,
        requestBody,
      } = operations.get(call) ?? assert.fail("there is no such call");
      assert.equal(real, access);
      assert.ok(ONE_API_CALLS.has(call.replace(/\{(\w+)\}/g, ":$1")), "it ignores what older clients send");
      const query = parameters.filter((parameter) => parameter.in === "query");
      const body = requestBody?.content["application/json"].schema ?? { properties: {}, required: [] };
      const taken = new Set([...query.map(({ name }) => name), ...Object.keys(body.properties)]);
      const needed = [...query.filter(({ required }) => required).map(({ name }) => name), ...body.required];
      const known = takes.split(" ").filter((name) => name !== "");
      for (const name of known) assert.ok(taken.has(name.replace("!", "")), `${name} is taken`);
      for (const name of needed) assert.ok(known.includes(`${name}!`), `${name} was never needed`);
    });
  }
});
