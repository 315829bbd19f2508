import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { z } from "zod";
import { createTestApp, type TestApp } from "../testing/create-test-app.ts";

const SECRET_NAMES: readonly string[] = ["password", "access_token", "hash", "secret", "cipher", "hmac"];
/** Where a key is answered on purpose: to the owner of a token, and once to the maker of a code or a management key. */
const KEYS_FOR_THEIR_OWNER: readonly string[] = ["/api/token/", "/api/redemption/", "/api/management-key/"];
/** Always empty, for clients that expect the field. */
const KEYS_THAT_ARE_EMPTY: readonly string[] = ["/api/channel/"];
/** The name of an option, and of a bar of the dashboard. */
const KEYS_THAT_ARE_NAMES: readonly string[] = ["/api/option/", "/api/audit/options", "/api/dashboard/"];

/** Answered as files. */
const FILES: readonly string[] = ["/api/audit/export", "/api/log/export", "/api/log/self/export"];

const isSecret = (name: string) => SECRET_NAMES.some((secret) => name.includes(secret));

const propertiesSchema = z.looseObject({ properties: z.record(z.string(), z.unknown()) });
const documentSchema = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.object({ responses: z.record(z.string(), z.unknown()) }))),
});

const emptyTextSchema = z.looseObject({ enum: z.tuple([z.literal("")]) });

const flagSchema = z.object({ type: z.literal("boolean") });

/** Names of all fields, but for flags about secrets, which tell none, and for a `key` that the schema says is always empty where that is meant. */
function propertyNames(schema: unknown, mayHaveEmptyKey: boolean): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const own = Object.entries(propertiesSchema.safeParse(schema).data?.properties ?? {})
    .filter(([name, value]) => !(isSecret(name) && flagSchema.safeParse(value).success))
    .filter(([name, value]) => !(mayHaveEmptyKey && name === "key" && emptyTextSchema.safeParse(value).success))
    .map(([name]) => name);
  return [...own, ...Object.values(schema).flatMap((part) => propertyNames(part, mayHaveEmptyKey))];
}

describe("the shapes of all answers", () => {
  let testApp: TestApp;
  before(async () => {
    testApp = await createTestApp();
  });
  after(() => testApp.close());

  test("[V9] hold no password, hash or sealed text, and a key only for its owner", async () => {
    const { paths } = documentSchema.parse((await testApp.app.inject("/api/openapi.json")).json());
    for (const [path, methods] of Object.entries(paths)) {
      for (const { responses } of Object.values(methods)) {
        // A file of rows that another call answers as well.
        if (FILES.includes(path)) continue;
        const names = propertyNames(
          responses,
          KEYS_THAT_ARE_EMPTY.some((allowed) => path.startsWith(allowed)),
        );
        assert.ok(names.includes("success"), `${path} has a described answer`);
        for (const name of names) {
          assert.ok(!isSecret(name), `${path} answers ${name}`);
          if (name === "key")
            assert.ok(
              [...KEYS_FOR_THEIR_OWNER, ...KEYS_THAT_ARE_NAMES].some((allowed) => path.startsWith(allowed)),
              `${path} answers a key`,
            );
        }
      }
    }
  });
});
