import assert from "node:assert/strict";
import { test } from "node:test";
import { findViolations } from "./find-violations.mjs";
import { importRules } from "./import-rules.mjs";
import { textRules } from "./text-rules.mjs";

const server = "apps/server/src";
const features = `${server}/features`;
const providers = "packages/providers/src";

/** Each sample breaks exactly one rule. @type {[rule: string, path: string, text: string][]} */
const violating = [
  ["contract-imports", "packages/contract/src/token.ts", 'import ky from "ky";'],
  ["contract-imports", "packages/contract/src/token.ts", 'import { readFileSync } from "node:fs";'],
  ["database-imports", "packages/database/src/tables.ts", 'import type { Token } from "@one-api/contract/token";'],
  ["provider-imports", `${providers}/anthropic/codec.ts`, 'import { sign } from "../bedrock/sign.ts";'],
  ["provider-imports", `${providers}/anthropic/codec.ts`, 'import { registry } from "../registry.ts";'],
  ["only-registry-names-providers", `${server}/relay/x.ts`, 'import { a } from "@one-api/providers/anthropic/codec";'],
  ["only-registry-names-providers", `${providers}/provider.ts`, 'import { a } from "./anthropic/codec.ts";'],
  ["providers-are-pure", `${providers}/registry.ts`, 'import { sql } from "kysely";'],
  ["providers-are-pure", `${providers}/anthropic/codec.ts`, 'import type { FastifyReply } from "fastify";'],
  ["providers-are-pure", `${providers}/shared/sse.ts`, 'import { request } from "node:https";'],
  ["core-imports", `${server}/core/errors.ts`, 'import { findUser } from "../features/users/index.ts";'],
  ["core-imports", `${server}/core/errors.ts`, 'import { relay } from "../relay/relay-request.ts";'],
  ["core-imports", `${server}/core/errors.ts`, 'import { config } from "../config.ts";'],
  ["ledger-imports", `${server}/ledger/reserve.ts`, 'import { findUser } from "../features/users/index.ts";'],
  ["ledger-imports", `${server}/ledger/reserve.ts`, 'import { price } from "@one-api/providers/price";'],
  ["feature-internals", `${features}/tokens/create-token.ts`, 'import { f } from "../users/user.repository.ts";'],
  ["feature-internals", `${features}/tokens/create-token.test.ts`, 'import { f } from "../users/user.repository.ts";'],
  ["feature-internals", `${server}/http/session.ts`, 'import { f } from "../features/users/user.repository.ts";'],
  ["feature-imports", `${features}/tokens/create-token.ts`, 'import { x } from "../../relay/select-channel.ts";'],
  ["feature-imports", `${features}/tokens/create-token.ts`, 'import { x } from "../../wire.ts";'],
  ["relay-imports", `${server}/relay/send-reply.ts`, 'import { probe } from "../jobs/probe.ts";'],
  ["nobody-imports-relay", `${server}/http/errors.ts`, 'export { a } from "../relay/send-reply.ts";'],
  ["no-code-execution", `${server}/jobs/probe.ts`, 'import { exec } from "node:child_process";'],
  ["no-code-execution", `${server}/jobs/probe.ts`, 'const vm = await import("vm");'],
  ["no-code-execution", `${server}/jobs/probe.ts`, "eval(text);"],
  ["no-code-execution", `${server}/jobs/probe.ts`, "const f = new Function(text);"],
  ["environment-in-config-only", `${server}/wire.ts`, 'import { env } from "node:process";'],
  ["environment-in-config-only", `${server}/main.ts`, "const port = process.env.PORT;"],
  ["environment-in-config-only", `${providers}/registry.ts`, "const { env } = process;"],
  ["environment-in-config-only", "apps/console/src/main.tsx", "const dev = process.env.NODE_ENV;"],
  ["fake-upstream-in-tests-only", `${server}/wire.ts`, 'import { fake } from "@one-api/fake-upstream/server";'],
  ["console-imports", "apps/console/src/main.tsx", 'import { tables } from "@one-api/database/tables";'],
  ["console-imports", "apps/console/src/main.tsx", 'import { app } from "../../server/src/app.ts";'],
  ["console-imports", "apps/console/src/main.tsx", 'import path from "node:path";'],
  [
    "api-client-shows-nothing",
    "apps/console/src/lib/api-client.ts",
    'import { notifications } from "@mantine/notifications";',
  ],
  ["scripts-need-nothing", "scripts/start.mjs", 'import chalk from "chalk";'],
  ["named-columns", `${features}/tokens/token.repository.ts`, 'db.selectFrom("tokens").selectAll().execute();'],
  ["named-columns", `${features}/tokens/token.repository.ts`, "await sql`select * from tokens`;"],
  ["fetch-in-api-folders-only", "apps/console/src/features/tokens/token-list-page.tsx", 'await fetch("/api/token");'],
  ["fetch-in-api-folders-only", "apps/console/src/lib/session.ts", 'void window.fetch("/api/token");'],
  ["kebab-case", "apps/console/src/components/DataTable.tsx", "export {};"],
  ["banned-name", `${features}/tokens/utils.ts`, "export {};"],
  ["banned-name", `${features}/tokens/create.ts`, "export {};"],
  ["banned-name", `${features}/tokens/types.test.ts`, "export {};"],
  ["banned-name", `${server}/core/index.ts`, "export {};"],
  ["file-length", `${server}/core/long.ts`, "export {};\n".repeat(501)],
];

/** None of these breaks a rule. @type {[path: string, text: string][]} */
const allowed = [
  ["packages/contract/src/token.ts", 'import { z } from "zod"; import { page } from "./page.ts";'],
  ["packages/contract/src/token.test.ts", 'import { test } from "node:test"; import fc from "fast-check";'],
  [
    "packages/database/src/dialects/postgres.ts",
    'import pg from "pg"; import { Kysely } from "kysely"; import "node:sqlite";',
  ],
  [
    `${providers}/anthropic/codec.ts`,
    'import { a } from "../shared/sse.ts"; import { b } from "../provider.ts"; import "./events.ts";',
  ],
  [`${providers}/registry.ts`, 'import { anthropic } from "./anthropic/declaration.ts";'],
  [
    `${features}/tokens/create-token.ts`,
    'import { z } from "zod"; import { f } from "../users/index.ts"; import "../../core/clock.ts";',
  ],
  [`${features}/tokens/create-token.test.ts`, 'import { buildTestApp } from "../../testing/build-test-app.ts";'],
  [
    `${server}/relay/x.ts`,
    'import { r } from "../ledger/reserve.ts"; import { c } from "../features/channels/index.ts";',
  ],
  [
    `${server}/wire.ts`,
    'import { findUser } from "./features/users/user.repository.ts"; import "./relay/relay-request.ts";',
  ],
  [
    `${server}/jobs/wake.ts`,
    'import { a } from "../relay/select-channel.ts"; import "../features/users/user.repository.ts";',
  ],
  [
    `${server}/demo/run-demo.ts`,
    'import { spawn } from "node:child_process"; import { fake } from "@one-api/fake-upstream/server";',
  ],
  [`${server}/config.ts`, "export const port = process.env.PORT;"],
  [`${server}/config.test.ts`, "process.env.PORT = '1';"],
  [`${server}/core/text.ts`, '// process.env and eval( in a comment\nconst help = "process.env is read in config.ts";'],
  [`${server}/core/sum.ts`, "const text = `select ${count * 2} of *`; regex.exec(text); retrieval(text);"],
  ["apps/console/src/lib/api-client.ts", 'export const answer = await fetch("/api/status");'],
  ["apps/console/src/features/tokens/api/export-tokens.ts", 'await fetch("/api/token");'],
  ["apps/console/src/features/tokens/token-list-page.tsx", "query.fetch(); refetch(); prefetch();"],
  ["apps/console/src/features/tokens/index.ts", 'export { TokenListPage } from "./token-list-page.tsx";'],
  ["apps/console/src/locales/zh-CN.ts", "export {};\n".repeat(900)],
  ["apps/console/vite.config.ts", "const dev = process.env.CI;"],
  ["e2e/tokens.test.ts", "const path = process.env.CHROMIUM_PATH;"],
  [`${features}/tokens/index.ts`, 'export { createToken } from "./create-token.ts";'],
];

for (const [rule, path, text] of violating) {
  test(`${rule} catches ${path}: ${text.slice(0, 70).trim()}`, () => {
    const { violations } = findViolations([{ path, text }]);
    assert.deepEqual(
      violations.map((violation) => violation.rule.replace(/ \(.*/, "")),
      [rule],
    );
  });
}

for (const [path, text] of allowed) {
  test(`nothing is wrong with ${path}: ${text.slice(0, 70).trim()}`, () => {
    assert.deepEqual(findViolations([{ path, text }]).violations, []);
  });
}

test("every import and text rule has a sample that breaks it", () => {
  const names = [...importRules, ...textRules].map((rule) => rule.name);
  const sampled = new Set(violating.map(([rule]) => rule));
  assert.deepEqual(
    names.filter((name) => !sampled.has(name)),
    [],
  );
});

test("features that import each other in a circle are shown with the way round", () => {
  const { violations } = findViolations([
    { path: `${features}/a/index.ts`, text: 'export { x } from "../b/index.ts";' },
    { path: `${features}/b/index.ts`, text: 'export { x } from "../c/index.ts";' },
    { path: `${features}/c/index.ts`, text: '\n\nimport type { X } from "../a/index.ts";' },
    { path: `${features}/d/index.ts`, text: 'export { x } from "../a/index.ts";' },
  ]);
  assert.deepEqual(
    violations.map(({ file, line, rule }) => `${file}:${line} ${rule}`),
    [
      `${features}/a/index.ts:1 feature-cycle (a → b → c → a)`,
      `${features}/b/index.ts:1 feature-cycle (b → c → a → b)`,
      `${features}/c/index.ts:3 feature-cycle (c → a → b → c)`,
    ],
  );
});

test("a long file is a warning before it is a violation", () => {
  const { warnings, violations } = findViolations([
    { path: `${server}/core/long.ts`, text: "export {};\n".repeat(301) },
  ]);
  assert.equal(warnings.length, 1);
  assert.deepEqual(violations, []);
});
