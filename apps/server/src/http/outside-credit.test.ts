import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { createTestApp } from "../testing/create-test-app.ts";

const documentSchema = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.looseObject({ "x-access": z.string() }))),
});

/**
 * Pages, signing in and registering. A call for payment providers would stand here too; it must refuse missing, empty, old and repeated signatures,
 * and test each.
 */
const OPEN_CALLS = [
  "GET /api/about",
  "GET /api/availability",
  "GET /api/home_page_content",
  "GET /api/notice",
  "GET /api/oauth/github",
  "GET /api/oauth/lark",
  "GET /api/oauth/oidc",
  "GET /api/oauth/state",
  "GET /api/oauth/wechat",
  "GET /api/pricing",
  "GET /api/reset_password",
  "GET /api/status",
  "GET /api/user/invitation",
  "GET /api/user/logout",
  "GET /api/verification",
  "POST /api/oauth/oidc/begin",
  "POST /api/user/login",
  "POST /api/user/login/code",
  "POST /api/user/login/passkey",
  "POST /api/user/login/passkey/begin",
  "POST /api/user/register",
  "POST /api/user/reset",
];

test("[V18] no call that anyone may make credits an account: there is none for payment providers", async (context) => {
  const testApp = await createTestApp();
  context.after(() => testApp.close());
  const { paths } = documentSchema.parse((await testApp.app.inject("/api/openapi.json")).json());
  const open = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, call]) =>
      call["x-access"] === "anyone" ? [`${method.toUpperCase()} ${path}`] : [],
    ),
  );
  assert.deepEqual(open.toSorted(), OPEN_CALLS);
});
