import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { overrideBody, overrideHeaders } from "./apply-overrides.ts";
import { findOverrideProblem, parseOverrides, writeOverrideProblem } from "./overrides.ts";

const problem = (overrides: object) => {
  const found = findOverrideProblem(JSON.stringify(overrides));
  return found && `${found.code} ${found.name}`;
};
const setting = (...names: readonly string[]) => ({
  body: { set: Object.fromEntries(names.map((name) => [name, 1])) },
});
const header = (name: string, value = "x") => problem({ headers: { set: { [name]: value } } });

describe("overrides of upstream requests", () => {
  test("are a table of headers and fields, each set, defaulted or removed", () => {
    assert.equal(findOverrideProblem(""), undefined);
    for (const text of ["{", "[]", '{"body":{"set":[]}}', '{"other":{}}', '{"headers":{"set":{"a":1}}}'])
      assert.equal(findOverrideProblem(text)?.code, "form", text);
    assert.equal(
      problem({
        headers: { set: { "User-Agent": "app/1" }, default: { "X-Title": "App" }, remove: ["anthropic-beta"] },
        body: { set: { "reasoning.effort": "low", store: false }, default: { temperature: 0.2 }, remove: ["top_k"] },
      }),
      undefined,
    );
  });

  test("refuse fields that decide the route or the price, in every spelling and at every depth", () => {
    for (const name of [
      "model",
      "Stream",
      "messages",
      "n",
      "TOOLS",
      "best_of",
      "bestOf",
      "generationConfig.candidateCount",
    ])
      assert.equal(problem(setting(name)), `field-refused ${name}`);
    assert.equal(problem({ body: { remove: ["stream_options"] } }), "field-refused stream_options");
    assert.equal(problem({ body: { set: { extra_body: { models: ["a"] } } } }), "field-refused extra_body.models");
    assert.equal(
      problem({ body: { set: { "extra_body.service_tier": "priority" } } }),
      "field-refused extra_body.service_tier",
    );
    assert.equal(problem({ body: { set: { provider: { order: ["dear"] } } } }), "field-refused provider.order");
    assert.equal(problem({ body: { set: { "provider.data_collection": "deny" } } }), undefined);
    assert.equal(
      problem({
        body: { set: { response_format: { json_schema: { schema: { properties: { model: {}, size: {} } } } } } },
      }),
      undefined,
      "names within a schema are no fields",
    );
  });

  test("take limits as whole numbers only", () => {
    for (const value of [0, -1, 1.5, "9", null])
      assert.equal(problem({ body: { set: { max_tokens: value } } }), "limit-value max_tokens");
    assert.equal(
      problem({ body: { set: { generationConfig: { maxOutputTokens: -1 } } } }),
      "limit-value generationConfig.maxOutputTokens",
    );
    assert.equal(
      problem({ body: { set: { max_tokens: 9, "thinking.budget_tokens": 0 }, remove: ["max_output_tokens"] } }),
      undefined,
    );
    assert.equal(problem({ body: { set: { "max_tokens.x": 1 } } }), "field-name max_tokens.x");
  });

  test("refuse credentials, framing and what the gateway writes", () => {
    for (const name of [
      "Authorization",
      "x-api-key",
      "API-Key",
      "x-goog-api-key",
      "Cookie",
      "cf-aig-authorization",
      "x-amz-date",
    ])
      assert.equal(header(name), `header-credential ${name}`);
    for (const name of [
      "Host",
      "content-length",
      "Transfer-Encoding",
      "connection",
      "Proxy-Authorization",
      "x-one-api-hops",
      "accept-encoding",
    ])
      assert.equal(header(name), `header-own ${name}`);
    for (const value of ["Bearer abc", "sk-abcdefghijklmnopqrstuv", "basic dTpw"])
      assert.equal(header("x-app", value), "header-credential x-app");
    for (const value of ["", "a\r\nb: c", "汉"]) assert.equal(header("x-app", value), "header-value x-app");
    assert.equal(header("two words"), "header-name two words");
  });

  test("name each header and field once, and none below another", () => {
    assert.equal(problem({ headers: { set: { "X-A": "1" }, remove: ["x-a"] } }), "repeated x-a");
    assert.equal(problem({ body: { set: { "thinking.type": "disabled", thinking: {} } } }), "repeated thinking.type");
    for (const name of ["", "a..b", "a b", "__proto__.x", "a.b.c.d.e.f.g.h.i"])
      assert.equal(problem(setting(name)), `field-name ${name}`);
    assert.equal(
      writeOverrideProblem({ code: "repeated", name: "x" }),
      "overrides: x appears twice, or below another entry. Leave one of them.",
    );
  });
});

describe("a request with overrides", () => {
  const body = (overrides: object) => parseOverrides(JSON.stringify({ body: overrides })) ?? {};

  test("has the fields set, what the client did not send, and not the removed ones", () => {
    const sent = { model: "m", temperature: 1, top_k: 4, thinking: { type: "enabled", budget_tokens: 9 } };
    const changed = overrideBody(
      sent,
      body({
        set: { temperature: 0.2, "thinking.type": "adaptive", "reasoning.effort": "low" },
        default: { top_p: 0.5, model_kwargs: {}, "thinking.budget_tokens": 1 },
        remove: ["top_k", "missing", "temperature.x"],
      }),
    );
    assert.deepEqual(changed, {
      model: "m",
      temperature: 0.2,
      thinking: { type: "adaptive", budget_tokens: 9 },
      reasoning: { effort: "low" },
      top_p: 0.5,
      model_kwargs: {},
    });
    assert.deepEqual(sent.thinking, { type: "enabled", budget_tokens: 9 }, "the client's own stays");
  });

  test("keeps what a client sent where a default expects an object", () => {
    assert.deepEqual(overrideBody({ reasoning: "high" }, body({ default: { "reasoning.effort": "low" } })), {
      reasoning: "high",
    });
    assert.deepEqual(overrideBody({ reasoning: null }, body({ default: { reasoning: { effort: "low" } } })), {
      reasoning: null,
    });
    assert.deepEqual(overrideBody({ a: { b: 1 } }, body({ remove: ["a.b"] })), { a: {} });
  });

  test("has the client's header in place of a default", () => {
    const overrides = {
      headers: { set: { "X-A": "set" }, default: { "User-Agent": "own", "X-Title": "own" }, remove: ["Beta"] },
    };
    assert.deepEqual(
      overrideHeaders({ beta: "1", "x-a": "0", "x-title": "gateway" }, overrides, { "user-agent": "client" }),
      {
        "x-a": "set",
        "user-agent": "client",
        "x-title": "own",
      },
    );
  });
});
