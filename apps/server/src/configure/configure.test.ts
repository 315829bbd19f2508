import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { text } from "node:stream/consumers";
import { after, before, describe, test } from "node:test";
import { createManagementKey } from "@one-api/contract/accounts/management-key";
import { listChannels } from "@one-api/contract/channels/channel";
import { makeTemporaryFolder } from "@one-api/database/testing/temporary-folder";
import { createTestApp, type TestApp, type TestLogin } from "../testing/create-test-app.ts";

const PROGRAM = path.join(import.meta.dirname, "run-config.ts");

const DOCUMENT = `# The gateway of the team.
version: 1
options:
  RetryTimes: 4
  SMTPToken: env:SMTP_TOKEN
prices:
  models: { gpt-4o: 1.25 }
aliases:
  fast: [gpt-4o]
channels:
  - name: main
    type: openai
    key: file:secrets/main.key
    models: [gpt-4o]
    config: { user_id: env:USER_ID }
`;

describe("npm run config", () => {
  const folder = makeTemporaryFolder("one-api-configure-");
  let testApp: TestApp;
  let root: TestLogin;
  let url: string;
  let key: string;
  before(async () => {
    testApp = await createTestApp();
    root = await testApp.logInAs("root");
    url = await testApp.app.listen({ host: "127.0.0.1", port: 0 });
    const body = { name: "CI", scopes: ["configuration:write"] };
    ({ key } = await root.client.data(createManagementKey, { body }));
    mkdirSync(path.join(folder, "secrets"));
    writeFileSync(path.join(folder, "secrets", "main.key"), "sk-canary-key\n");
    write("gateway.yaml", DOCUMENT);
  });
  after(async () => {
    await testApp.close();
    rmSync(folder, { recursive: true });
  });

  const write = (name: string, content: string) => writeFileSync(path.join(folder, name), content);
  const run = async (command: string, more: Record<string, string> = {}) => {
    const env = { ONE_API_URL: url, ONE_API_KEY: key, SMTP_TOKEN: "canary-smtp", USER_ID: "u-1", ...more };
    const child = spawn(process.execPath, [PROGRAM, ...command.split(" ")], { cwd: folder, env });
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
    assert.doesNotMatch(out + err, /canary/);
    return { code: child.exitCode, out, err };
  };

  test("plans with exit code 1, applies, and then plans nothing with exit code 0", async () => {
    const planned = await run("plan gateway.yaml");
    assert.equal(planned.code, 1, planned.err);
    assert.match(planned.out, /^~ option:RetryTimes\n {4}value: 3 → 4$/m);
    assert.match(planned.out, /^\+ channel:main$/m);
    assert.match(planned.out, /^5 changes to apply\.$/m);
    const applied = await run("apply gateway.yaml");
    assert.deepEqual([applied.code, applied.err], [0, ""]);
    assert.match(applied.out, /5 changes applied\./);
    assert.deepEqual(await run("plan gateway.yaml"), { code: 0, out: "0 changes to apply.\n", err: "" });
    assert.equal(testApp.deps.options.secret("SMTPToken"), "canary-smtp");
    assert.deepEqual((await root.client.data(listChannels)).map(({ name, config }) => [name, config]), [
      ["main", '{"user_id":"u-1"}'],
    ]); // prettier-ignore
    const { via } = await testApp.database.db
      .selectFrom("audit")
      .select("via")
      .where("action", "=", "channel.create")
      .executeTakeFirstOrThrow();
    assert.match(via, /^management-key:\d+$/);
  });

  test("exports in YAML and JSON what plans nothing, and overwrites no file", async () => {
    for (const file of ["export.yaml", "export.json"]) {
      assert.equal((await run(`export ${file}`)).code, 0);
      assert.doesNotMatch(readFileSync(path.join(folder, file), "utf8"), /canary/);
      assert.equal((await run(`plan ${file}`)).code, 0, file);
    }
    const refused = await run("export gateway.yaml");
    assert.deepEqual([refused.code, refused.err], [2, "gateway.yaml exists. Name a new file.\n"]);
    assert.equal(readFileSync(path.join(folder, "gateway.yaml"), "utf8"), DOCUMENT);
  });

  test("refuses secrets in the document, and references that lead to nothing, by their places", async () => {
    write(
      "literal.yaml",
      `version: 1
options: { SMTPToken: canary }
channels:
  - { name: a, type: openai, key: sk-canary, models: [m] }
  - { name: b, type: openai, key: env:NOT_SET, models: [m], proxy: "http://me:canary@10.0.0.1:8080", config: { sk: canary } }
  - { name: c, type: openai, key: file:no-such.key, models: [m] }
`,
    );
    const { code, err } = await run("plan literal.yaml");
    assert.equal(code, 2);
    for (const place of ["options.SMTPToken", "channels.0.key", "channels.1.proxy", "channels.1.config.sk"])
      assert.match(err, new RegExp(`^${place} must be a reference`, "m"));
    assert.match(err, /^channels\.1\.key: the environment has no NOT_SET\.$/m);
    assert.match(err, /^channels\.2\.key: the file no-such\.key cannot be read: ENOENT\.$/m);
  });

  test("names the place of what is wrong in the document, before and on the server", async () => {
    write("wrong.yaml", "version: 1\noptions: { RetryTimes: many, RetryTime: 3 }\n");
    assert.match((await run("plan wrong.yaml")).err, /options\.RetryTimes: [^\n]+\noptions: /);
    write("limit.yaml", "version: 1\noptions: { RetryTimes: 11 }\n");
    assert.match((await run("apply limit.yaml")).err, /^options\.RetryTimes: RetryTimes must be a whole number from 0 to 10\./);
    write("broken.yaml", "version: 1\nkey: 'canary\n");
    assert.match((await run("plan broken.yaml")).err, /^broken\.yaml: line \d+, column \d+: [A-Z_]+\.\n$/);
    write("twice.json", '{"version": 1, "options": {"RetryTimes": 1, "RetryTimes": 2}}');
    assert.match((await run("plan twice.json")).err, /^twice\.json: line 1, column \d+: DUPLICATE_KEY\./);
    assert.match((await run("plan no-such.yaml")).err, /^no-such\.yaml cannot be read: ENOENT\./);
  }); // prettier-ignore

  test("deletes only with its option", async () => {
    write("none.yaml", "version: 1\nchannels: []\n");
    const refused = await run("apply none.yaml");
    assert.equal(refused.code, 2);
    assert.match(refused.err, /would be deleted: main\..*\(configuration-deletes\)/);
    assert.match((await run("apply none.yaml --allow-deletions")).out, /^- channel:main$/m);
  });

  test("explains itself, a missing server, a wrong key and a redirection, with exit code 2", async () => {
    for (const command of ["", "plan", "destroy gateway.yaml", "plan a b", "plan gateway.yaml --force"])
      assert.match((await run(command)).err, /^Name what to do/, command);
    const elsewhere: string[] = [];
    const other = createServer((request, response) => {
      elsewhere.push(String(request.headers.authorization));
      response.writeHead(307, { location: `${url}/api/configuration/` }).end();
    }).listen(0, "127.0.0.1");
    await once(other, "listening");
    const bound = other.address();
    assert.ok(bound !== null && typeof bound === "object");
    for (const [environment, expected] of [
      [{ ONE_API_URL: "" }, /^Set ONE_API_URL/],
      [{ ONE_API_URL: "gateway.example" }, /^Set ONE_API_URL/],
      [{ ONE_API_KEY: "" }, /^Set ONE_API_KEY/],
      [{ ONE_API_KEY: "oam_wrong" }, /\(management-key-invalid\)$/m],
      [{ ONE_API_URL: "http://127.0.0.1:1" }, /cannot be reached/],
      [{ ONE_API_URL: `http://127.0.0.1:${bound.port}` }, /cannot be reached/],
    ] as const) {
      const { code, err } = await run("export new.yaml", environment);
      assert.equal(code, 2);
      assert.match(err, expected);
      assert.ok(!err.includes(key));
    }
    other.close();
    assert.equal(elsewhere.length, 1);
    assert.ok(!existsSync(path.join(folder, "new.yaml")));
    writeFileSync(path.join(folder, "ci.key"), `${key}\n`);
    assert.equal((await run("plan gateway.yaml", { ONE_API_KEY_FILE: path.join(folder, "ci.key") })).code, 2, "both are set");
  }); // prettier-ignore
});
