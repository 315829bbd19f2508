// Breaks each rule of .oxlintrc.json that keeps the layers apart, and sees oxlint refuse it.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { fromRoot, packageBin } from "../lib/repository.mjs";

const server = "apps/server/src";
const features = `${server}/features`;
const providers = "packages/providers/src";
const imports = "eslint(no-restricted-imports)";
/** The environment outside of config.ts; figures and times of the console that are not written by lib/format.ts. */
const properties = "eslint(no-restricted-properties)";
const balances = "one-api(ledger-writes-balances)";
const columns = "one-api(named-columns)";
const sizes = "one-api(size-tokens)";
const levels = "one-api(relay-levels)";

/** Each breaks one rule. @type {[rule: string, path: string, text: string][]} */
const violating = [
  [imports, "packages/contract/src/token.ts", 'import ky from "ky";'],
  [imports, "packages/contract/src/token.ts", 'import { z } from "zod";'],
  [imports, "packages/contract/src/token.ts", 'export type A = import("node:fs").Stats; await import("node:fs");'],
  [imports, "packages/database/src/tables.ts", 'import type { Token } from "@one-api/contract/token";'],
  [imports, `${providers}/vendors/anthropic/vendor.ts`, 'import { sign } from "../aws/sign.ts";'],
  [imports, `${providers}/vendors/anthropic/vendor.ts`, 'import { registry } from "../../registry.ts";'],
  [imports, `${providers}/protocols/anthropic/codec.ts`, 'import type { FastifyReply } from "fastify";'],
  [imports, `${providers}/protocols/gemini/usage.ts`, 'import { vertex } from "../../vendors/vertex/vendor.ts";'],
  [imports, `${providers}/vendors/aws/stub.ts`, 'import { cohereStub } from "../cohere/stub.ts";'],
  [imports, `${providers}/vendors/aws/stub/converse.ts`, 'import { cohereStub } from "../../cohere/stub.ts";'],
  [imports, `${providers}/vendors/aws/stub.ts`, 'import { start } from "@one-api/stub-server/start-stub-server";'],
  [imports, `${providers}/vendors/aws/vendor.ts`, 'import { awsStub } from "./stub.ts";'],
  [imports, `${providers}/protocols/openai/usage.ts`, 'import { openAiStub } from "./stub/stub.ts";'],
  [imports, `${server}/relay/dialects/openai.ts`, 'import { a } from "@one-api/providers/protocols/openai/stub/stub";'],
  [imports, `${server}/core/errors.ts`, 'import { start } from "@one-api/stub-server/start-stub-server";'],
  [imports, `${providers}/shared/sse.ts`, 'import { request } from "node:https";'],
  [imports, `${providers}/registry.ts`, 'import { db } from "@one-api/database/open-database";'],
  [imports, `${server}/relay/x.ts`, 'import { a } from "@one-api/providers/anthropic/codec";'],
  [imports, `${server}/relay/y.ts`, 'import { a } from "@one-api/providers/protocols/openai/stream-meter";'],
  [imports, `${server}/relay/dialects/x.ts`, 'import { start } from "@one-api/stub-server/s";'],
  [imports, `${server}/core/errors.ts`, 'import { findUser } from "../features/users/index.ts";'],
  [imports, `${server}/core/errors.ts`, 'import { config } from "../config.ts";'],
  [imports, `${server}/platform/runtime-tuning.ts`, 'import { exec } from "node:child_process";'],
  [imports, `${server}/platform/network/proxy.ts`, 'import { config } from "../../config.ts";'],
  [imports, `${server}/platform/network/proxy.ts`, 'import { AppError } from "../../core/app-error.ts";'],
  [imports, "packages/ledger/src/reserve.ts", 'import { findUser } from "@one-api/server/features/users/index";'],
  [imports, "packages/ledger/src/reserve.ts", 'import { price } from "@one-api/providers/price";'],
  [
    imports,
    "packages/http1/src/client/x.ts",
    'import { TimeSlices } from "@one-api/server/platform/work/time-slices";',
  ],
  [imports, "packages/http1/src/client/x.ts", 'import { PlainRequest } from "../server/plain-request.ts";'],
  [imports, "packages/importer/src/x.ts", 'import { readSubnet } from "@one-api/server/features/tokens/index";'],
  [imports, "packages/importer/src/x.ts", 'import { openDatabase } from "@one-api/database/open-database";'],
  [imports, "packages/http1/src/server/x.ts", 'import { readFileSync } from "node:fs";'],
  [imports, `${server}/core/errors.ts`, 'import { whenSettled } from "@one-api/ledger/ledger";'],
  [imports, `${features}/tokens/create-token.ts`, 'import { f } from "../users/user.repository.ts";'],
  [imports, `${features}/tokens/create-token.test.ts`, 'import { f } from "../users/user.repository.ts";'],
  [imports, `${features}/tokens/create-token.ts`, 'import { x } from "../../relay/select-channel.ts";'],
  [imports, `${features}/tokens/create-token.ts`, 'import { x } from "../../wire.ts";'],
  [imports, `${server}/http/session.ts`, 'import { f } from "../features/users/user.repository.ts";'],
  [imports, `${server}/http/errors.ts`, 'export { a } from "../relay/send-reply.ts";'],
  [imports, `${server}/relay/send-reply.ts`, 'import { probe } from "../jobs/probe.ts";'],
  [imports, `${server}/relay/body/read.ts`, 'import { f } from "../../features/users/user.repository.ts";'],
  [imports, `${server}/jobs/probe.ts`, 'const vm = await import("vm");'],
  [imports, `${server}/jobs/probe.ts`, 'import { exec } from "node:child_process";'],
  [imports, `${server}/wire.ts`, 'import { fake } from "@one-api/stub-server/server";'],
  [imports, "apps/console/src/main.tsx", 'import { tables } from "@one-api/database/tables";'],
  [imports, "apps/console/src/main.tsx", 'import { app } from "../../server/src/app.ts";'],
  [imports, "apps/console/src/lib/api/api-client.ts", 'import { notifications } from "@mantine/notifications";'],
  [imports, "scripts/run.mjs", 'import chalk from "chalk";'],
  ["eslint(no-restricted-globals)", "apps/console/src/features/tokens/a.tsx", 'await fetch("/api/token");'],
  ["eslint(no-restricted-globals)", "apps/console/src/lib/state/session.ts", 'void window.fetch("/api/token");'],
  [properties, `${server}/main.ts`, "const port = process.env.PORT;"],
  [properties, `${providers}/registry.ts`, "const { env } = process;"],
  [properties, "apps/console/src/main.tsx", "const dev = process.env.NODE_ENV;"],
  [properties, "apps/console/src/features/logs/a.ts", "const text = (1).toFixed(2);"],
  [properties, "apps/console/src/features/logs/b.ts", "const text = new Date(0).toLocaleString();"],
  [properties, "apps/console/src/features/logs/c.ts", "const text = new Intl.NumberFormat(language).format(1);"],
  [properties, "apps/console/src/features/logs/d.ts", "const text = new Intl.DateTimeFormat().format(0);"],
  ["eslint(no-eval)", `${server}/jobs/probe.ts`, "eval(text);"],
  ["eslint(no-new-func)", `${server}/jobs/probe.ts`, "const f = new Function(text);"],
  ["eslint(max-lines)", `${server}/core/long.ts`, "export {};\n".repeat(501)],
  ["unicorn(filename-case)", "apps/console/src/components/DataTable.tsx", "export {};"],
  ["unicorn(no-process-exit)", `${server}/core/a.test.ts`, "process.exit(0);"],
  [levels, `${server}/relay/errors/a.ts`, 'import type { Price } from "../pricing/index.ts";'],
  [levels, `${server}/relay/callers/a.ts`, 'import type { ParsedRequest } from "../body/index.ts";'],
  [levels, `${server}/relay/body/a.ts`, 'import type { Asker } from "../media/index.ts";'],
  [levels, `${server}/relay/in-flight/a.ts`, 'import { createBodyStore } from "../stored-bodies/index.ts";'],
  [levels, `${server}/relay/media/a.ts`, 'export { openai } from "../dialects/index.ts";'],
  [levels, `${server}/relay/translate/a.ts`, 'import { Attempt } from "../upstream/index.ts";'],
  [levels, `${server}/relay/usage/a.ts`, 'import type { PricedCandidate } from "../routing/index.ts";'],
  [levels, `${server}/relay/charging/a.ts`, 'import { callProvider } from "../own-calls/index.ts";'],
  [levels, `${server}/relay/passthrough/a.ts`, 'export * from "../batches/index.ts";'],
  [levels, `${server}/relay/batches/a.ts`, 'await import("../request/index.ts");'],
  [levels, `${server}/relay/realtime/a.ts`, 'import type { RelayServices } from "../create-relay.ts";'],
  [levels, `${server}/relay/another/a.ts`, 'import { RelayError } from "../errors/index.ts";'],
  [levels, `${server}/relay/request/a.ts`, 'import { RelayError } from "../errors/relay-error.ts";'],
  [levels, `${server}/relay/create-relay.ts`, 'import { Attempt } from "./upstream/attempt.ts";'],
  [levels, `${server}/jobs/a.job.ts`, 'import { endRevoked } from "../relay/in-flight/end-revoked.ts";'],
  [sizes, "apps/console/src/components/a.tsx", "export const A = () => <Stack gap={6} />;"],
  [sizes, "apps/console/src/components/b.tsx", 'export const B = () => <Text mt="-0.5rem" />;'],
  [sizes, "apps/console/src/components/c.tsx", "export const C = () => <p style={{ fontSize: 15 }} />;"],
  [columns, `${features}/tokens/token.repository.ts`, 'db.selectFrom("tokens").selectAll().execute();'],
  [columns, `${features}/tokens/token.repository.ts`, "await sql`select * from tokens`;"],
  [balances, `${features}/tokens/a.ts`, 'db.updateTable("shares").set({ remaining: 1 }).where("account", "=", 2);'],
  [balances, `${features}/users/a.ts`, 'db.insertInto("shares").values(row);'],
  [balances, `${features}/users/b.ts`, 'db.deleteFrom("checkpoints").where("owner", "=", 1);'],
  [balances, `${features}/users/c.ts`, 'db.updateTable("owners").where("id", "=", 1).set("epoch", 5);'],
  [balances, `${features}/users/d.ts`, "await sql`update shares set remaining = ${quota} where account = 1`;"],
  [balances, `${features}/users/e.ts`, "await sql`delete from budget_windows`;"],
  [
    balances,
    `${features}/channels/e.ts`,
    'db.insertInto("channels").values(rows.map((row) => ({ ...row, used_quota: 1 })));',
  ],
  [balances, `${features}/channels/f.ts`, "await insertChannel(db, { ...channel, used_quota: 0 });"],
];

/** None of these breaks a rule. @type {[path: string, text: string][]} */
const allowed = [
  [
    "apps/console/src/components/d.tsx",
    'export const D = () => <Stack gap="xs" p={0} mt={2} w={240} style={{ gap: "1px", fontSize: size }} />;',
  ],
  ["packages/contract/src/token.ts", 'import * as z from "zod/mini"; import { page } from "./page.ts";'],
  [
    "packages/database/src/dialects/postgres.ts",
    'import pg from "pg"; import "mysql2/promise"; import { Kysely } from "kysely"; import "node:sqlite";',
  ],
  [
    `${providers}/vendors/anthropic/vendor.ts`,
    'import { a } from "../../shared/sse.ts"; import { b } from "../../provider.ts"; import "./e.ts";',
  ],
  [
    `${providers}/vendors/aws/stub/converse.ts`,
    'import { json } from "../../../stub-kit/call.ts"; import "node:crypto";',
  ],
  [`${providers}/registry.ts`, 'import { anthropic } from "./vendors/anthropic/vendor.ts";'],
  [
    `${features}/tokens/create-token.ts`,
    'import { z } from "zod"; import { f } from "../users/index.ts"; import "../../platform/clock.ts";',
  ],
  [`${features}/tokens/create-token.test.ts`, 'import { buildTestApp } from "../../testing/build-test-app.ts";'],
  [
    `${server}/relay/x.ts`,
    'import { r } from "@one-api/ledger/ledger"; import { c } from "../features/channels/index.ts";',
  ],
  [`${server}/relay/dialects/openai.ts`, 'import { a } from "@one-api/providers/protocols/openai/stream-meter";'],
  [`${server}/relay/z.ts`, 'import { a } from "@one-api/providers/protocols/read-error"; import "./request/index.ts";'],
  [
    `${server}/relay/charging/z.ts`,
    'import { a } from "../usage/index.ts"; import { b } from "./settle.ts"; import type { c } from "../relay-timeouts.ts";',
  ],
  [
    `${server}/relay/upstream/http1/z.ts`,
    'import { a } from "../attempt.ts"; import { b } from "../../errors/index.ts";',
  ],
  [`${server}/relay/charging/z.test.ts`, 'import { a } from "../request/testing/start-request.ts";'],
  [
    `${server}/wire.ts`,
    'import { findUser } from "./features/users/user.repository.ts"; import "./relay/relay-request.ts";',
  ],
  [
    `${server}/demo/run-demo.ts`,
    'import { spawn } from "node:child_process"; import { fake } from "@one-api/stub-server/s";',
  ],
  [
    `${server}/platform/runtime-tuning.ts`,
    'import { setFlagsFromString } from "node:v8"; import { Script } from "node:vm";',
  ],
  [`${server}/config.ts`, "export const port = process.env.PORT;"],
  [`${server}/config.test.ts`, "process.env.PORT = '1';"],
  [`${server}/core/text.ts`, '// process.env and eval( in a comment\nconst help = "process.env is read in config.ts";'],
  ["apps/console/src/lib/api/api-client.ts", 'export const answer = await fetch("/api/status");'],
  ["apps/console/src/features/tokens/a.tsx", "query.fetch(); refetch(); prefetch();"],
  ["apps/console/src/lib/format.ts", "export const text = (1).toFixed(2) + new Intl.NumberFormat('en').format(1);"],
  [
    "apps/console/src/features/tokens/b.ts",
    "export const order = new Intl.Collator(); export const id = (1).toString(36);",
  ],
  ["apps/console/vite.config.ts", "const dev = process.env.CI;"],
  ["e2e/tokens.test.ts", "const path = process.env.CHROMIUM_PATH;"],
  [`${features}/tokens/c.ts`, 'import { readTokenBalance } from "@one-api/ledger/read-balances";'],
  [
    "packages/ledger/src/settle.ts",
    'import { openSqlite } from "@one-api/database/dialects/sqlite"; import { LOG_TYPE } from "@one-api/contract/logs/log";',
  ],
  [
    "packages/importer/src/x.ts",
    'import type { ForeignRow } from "@one-api/database/foreign/foreign-database"; import "@one-api/contract/token"; import "./y.ts";',
  ],
  [
    "packages/http1/src/client/x.ts",
    'import { Dispatcher } from "undici"; import { TOKEN } from "../grammar/field-syntax.ts"; import "../read-buffer.ts";',
  ],
  ["packages/ledger/src/grant.ts", 'db.updateTable("shares").set({ remaining: 5 });'],
  [
    `${features}/logs/a.ts`,
    'db.insertInto("usage_logs").values({ used: 5 }); sql`select remaining from shares where used > 1`;',
  ],
  [
    `${features}/users/a.ts`,
    'db.selectFrom("shares").where("used", "=", 0); db.insertInto("channels").values({ name });',
  ],
];

const folder = mkdtempSync(path.join(tmpdir(), "one-api-lint-"));
after(() => rmSync(folder, { recursive: true, force: true }));
/** What oxlint says, by the folder of the sample. @type {Map<string, string[]>} */
const found = new Map();

before(() => {
  const samples = [
    ...violating.map(([, file, text]) => ({ file, text })),
    ...allowed.map(([file, text]) => ({ file, text })),
  ];
  const config = JSON.parse(readFileSync(fromRoot(".oxlintrc.json"), "utf8"));
  config.jsPlugins = [fromRoot("scripts", "lint", "oxlint-rules.mjs")];
  config.categories = {};
  delete config.options;
  for (const [index, { file, text }] of samples.entries()) {
    const place = path.join(folder, String(index), file);
    mkdirSync(path.dirname(place), { recursive: true });
    writeFileSync(place, `${text}\n`);
    // Patterns of files start at the folder of the configuration.
    writeFileSync(path.join(folder, String(index), ".oxlintrc.json"), JSON.stringify(config));
  }
  const run = spawnSync(process.execPath, [packageBin("oxlint"), "--format", "json", "."], {
    cwd: folder,
    encoding: "utf8",
  });
  for (const { filename, code } of JSON.parse(run.stdout).diagnostics) {
    const index = String(filename).split("/")[0] ?? "";
    found.set(index, [...(found.get(index) ?? []), code]);
  }
});

for (const [index, [rule, file, text]] of violating.entries()) {
  test(`${rule} catches ${file}: ${text.slice(0, 70).trim()}`, () => {
    assert.ok(found.get(String(index))?.includes(rule), String(found.get(String(index))));
  });
}

const ours = new Set([imports, properties, balances, columns, levels, "eslint(no-restricted-globals)"]);
for (const [index, [file, text]] of allowed.entries()) {
  test(`nothing is wrong with ${file}: ${text.slice(0, 70).trim()}`, () => {
    const said = found.get(String(violating.length + index)) ?? [];
    assert.deepEqual(
      said.filter((code) => ours.has(code)),
      [],
    );
  });
}

test("the types are checked with the rules, as strictly as the sources say", () => {
  const place = path.join(folder, "types");
  mkdirSync(place);
  const config = { extends: fromRoot("tsconfig.json"), compilerOptions: { types: [] }, include: ["."] };
  writeFileSync(path.join(place, "tsconfig.json"), JSON.stringify(config));
  writeFileSync(path.join(place, "package.json"), '{ "type": "module" }');
  writeFileSync(
    path.join(place, "mistakes.ts"),
    [
      'export const wrong: number = "text";',
      "export const missing = (list: readonly number[]): number => list[0];",
      "export const given: { readonly name?: string } = { name: undefined };",
      "// @ts-expect-error nothing is wrong here",
      "export const right: number = 1;",
    ].join("\n"),
  );
  const run = spawnSync(process.execPath, [packageBin("oxlint"), "--type-aware", "--type-check", "--format", "json"], {
    cwd: place,
    env: { ...process.env, OXLINT_TSGOLINT_PATH: packageBin("oxlint-tsgolint", { bin: "tsgolint" }) },
    encoding: "utf8",
  });
  const codes = JSON.parse(run.stdout).diagnostics.map((/** @type {{ code: string }} */ { code }) => code);
  assert.deepEqual(
    codes.filter((/** @type {string} */ code) => code.startsWith("typescript(TS")).sort(),
    ["TS2322", "TS2322", "TS2375", "TS2578"].map((code) => `typescript(${code})`),
  );
});
