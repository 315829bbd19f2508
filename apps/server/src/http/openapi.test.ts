import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { scopeOf } from "@one-api/contract/accounts/management-key-scopes";
import { listCalls } from "@one-api/contract/testing/list-calls";
import { Ajv2020 } from "ajv/dist/2020.js";
import { z } from "zod";
import { createTestApp, type TestApp } from "../testing/create-test-app.ts";

const jsonSchema = z.record(z.string(), z.unknown());
const contentSchema = z.record(z.string(), z.strictObject({ schema: jsonSchema }));

/** The parts of OpenAPI 3.1 that the document uses, with the fields that the specification requires. */
const operationSchema = z.strictObject({
  operationId: z.string().regex(/^[a-z][A-Za-z]+$/),
  summary: z.string().min(1),
  tags: z.array(z.string().min(1)).length(1),
  parameters: z
    .array(
      z.strictObject({
        name: z.string().min(1),
        in: z.enum(["path", "query", "header"]),
        required: z.boolean(),
        description: z.string().optional(),
        schema: jsonSchema,
      }),
    )
    .default([]),
  requestBody: z.strictObject({ required: z.literal(true).optional(), content: contentSchema }).optional(),
  responses: z.record(
    z.string().regex(/^(?:200|4XX|5XX)$/),
    z.strictObject({ description: z.string().min(1), content: contentSchema }),
  ),
  security: z.array(z.record(z.string(), z.array(z.string()))).min(1),
  "x-access": z.string(),
  "x-scope": z.string().optional(),
});

const documentSchema = z.strictObject({
  openapi: z.string().regex(/^3\.1\.\d+$/),
  info: z.strictObject({ title: z.string(), description: z.string(), version: z.string() }),
  components: z.strictObject({ securitySchemes: z.record(z.string(), jsonSchema), schemas: z.record(z.string(), jsonSchema) }),
  paths: z.record(z.string().startsWith("/"), z.partialRecord(z.enum(["get", "post", "put", "delete"]), operationSchema)),
}); // prettier-ignore

type Operation = z.output<typeof operationSchema>;

describe("the OpenAPI document", () => {
  let testApp: TestApp;
  let document: z.output<typeof documentSchema>;
  let operations: { readonly name: string; readonly path: string; readonly operation: Operation }[];
  before(async () => {
    testApp = await createTestApp();
    document = documentSchema.parse((await testApp.app.inject("/api/openapi.json")).json());
    operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        name: `${method.toUpperCase()} ${path}`,
        path,
        operation,
      })),
    );
  });
  after(() => testApp.close());

  test("has exactly the calls of the contract, with their access, scope and header", async () => {
    const described = operations.map(({ name, operation }) => {
      const hasKey = operation.parameters.some((parameter) => parameter.name === "Idempotency-Key");
      return [name, operation.summary, operation["x-access"], operation["x-scope"], hasKey].join(" | ");
    });
    const declared = (await listCalls()).map((call) => {
      const needed = scopeOf(call);
      const path = call.path.replaceAll(/:(\w+)/g, "{$1}");
      const scope = "scope" in needed ? needed.scope : undefined;
      return [`${call.method} ${path}`, call.summary, call.access, scope, call.takesIdempotencyKey].join(" | ");
    });
    assert.deepEqual(described.toSorted(), declared.toSorted());
  });

  test("names each operation once, and every parameter of its path", () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    assert.deepEqual(ids.filter((id, index) => ids.indexOf(id) < index), []);
    for (const { name, path, operation } of operations) {
      const inPath = operation.parameters.filter((parameter) => parameter.in === "path");
      assert.deepEqual(
        inPath.map((parameter) => parameter.name).toSorted(),
        [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter = ""]) => parameter).toSorted(),
        name,
      );
      assert.ok(inPath.every(({ required }) => required), name);
    }
  }); // prettier-ignore

  test("asks for credentials that it describes, and for none where a call is open", () => {
    for (const { name, operation } of operations) {
      for (const way of operation.security)
        for (const scheme of Object.keys(way)) assert.ok(scheme in document.components.securitySchemes, name);
      const isOpen = operation.security.some((way) => Object.keys(way).length === 0);
      assert.equal(isOpen, operation["x-access"] === "anyone", name);
      const byKey = operation.security.flatMap((way) => way["managementKey"] ?? []);
      assert.deepEqual(byKey, operation["x-scope"] === undefined ? [] : [operation["x-scope"]], name);
    }
  });

  test("has JSON Schemas of the version of OpenAPI 3.1, whose references lead somewhere", () => {
    const ajv = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false, formats: {}, validateFormats: false });
    ajv.addVocabulary(["components"]);
    for (const { name, operation } of operations) {
      const contents = [operation.requestBody, ...Object.values(operation.responses)].flatMap((part) =>
        Object.values(part?.content ?? {}).map(({ schema }) => schema),
      );
      for (const schema of [...contents, ...operation.parameters.map((parameter) => parameter.schema)]) {
        const whole = { ...schema, components: { schemas: document.components.schemas } };
        assert.doesNotThrow(() => ajv.compile(whole), name);
      }
    }
  }); // prettier-ignore

  test("describes what calls answer", async () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const { client } = await testApp.logInAs("root");
    const check = async (path: string, method: "get" | "post", status: string, body?: object) => {
      const operation = document.paths[path]?.[method] ?? assert.fail(path);
      const schema = operation.responses[status]?.content["application/json"]?.schema;
      const validate = ajv.compile({ ...schema, components: { schemas: document.components.schemas } });
      const call = { method: method === "get" ? "GET" : "POST", path } as const;
      const answer = await client.send(call, body === undefined ? {} : { body });
      assert.ok(answer.status === 200 ? status === "200" : `${Math.floor(answer.status / 100)}XX` === status, answer.text);
      assert.ok(validate(JSON.parse(answer.text)), `${path}: ${JSON.stringify(validate.errors)}`);
    };
    for (const path of ["/api/status", "/api/user/self", "/api/option/", "/api/channel/", "/api/configuration/", "/api/system"])
      await check(path, "get", "200");
    await check("/api/channel/test/stop", "post", "200", {});
    await check("/api/user/manage", "post", "200", { username: "nobody", action: "disable" });
    await check("/api/token/", "post", "4XX", {});
  }); // prettier-ignore
});
