import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, describe, test } from "node:test";
import { loadMasterKey, MASTER_KEY_FILE } from "./master-key.ts";
import { StartError } from "./config.ts";

describe("the master key", () => {
  let dataDirectory: string;
  const load = (more: { secretKey?: string; inUse?: boolean } = {}) =>
    loadMasterKey({ dataDirectory, secretKey: more.secretKey, inUse: more.inUse ?? false });

  beforeEach(() => {
    dataDirectory = join(mkdtempSync(join(tmpdir(), "one-api-key-")), "data");
  });
  afterEach(() => rmSync(dirname(dataDirectory), { recursive: true, force: true }));

  test("[ENT-073] is created once, in a file for its owner only, and read on later starts", () => {
    const made = load();
    const file = join(dataDirectory, MASTER_KEY_FILE);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.equal(readFileSync(file, "utf8").trim(), made);
    assert.equal(load({ inUse: true }), made);
  });

  test("[ENT-072] is the operator's if set, without a file", () => {
    const secretKey = "an operator's own key of enough length";
    assert.equal(load({ secretKey }), secretKey);
    assert.throws(() => statSync(join(dataDirectory, MASTER_KEY_FILE)));
  });

  test("is not created for a database of another key", () => {
    assert.throws(
      () => load({ inUse: true }),
      (error) => error instanceof StartError && /missing.*SECRET_KEY/s.test(error.message),
    );
    assert.throws(() => statSync(join(dataDirectory, MASTER_KEY_FILE)));
  });

  test("is the same for servers that start at once with one folder", async () => {
    const program = `
      import { loadMasterKey } from ${JSON.stringify(join(import.meta.dirname, "master-key.ts"))};
      process.stdin.once("data", () => {
        console.log(loadMasterKey({ dataDirectory: ${JSON.stringify(dataDirectory)}, secretKey: undefined, inUse: false }));
        process.stdin.destroy();
      });
      console.log("ready");`;
    const servers = Array.from({ length: 3 }, () =>
      spawn(process.execPath, ["--input-type=module", "--eval", program], { stdio: ["pipe", "pipe", "inherit"] }),
    );
    const said = servers.map(({ stdout }) => createInterface(stdout)[Symbol.asyncIterator]());
    const next = () => Promise.all(said.map(async (lines) => String((await lines.next()).value)));
    assert.deepEqual(await next(), ["ready", "ready", "ready"]);
    for (const { stdin } of servers) stdin.write("go");
    const keys = await next();
    assert.deepEqual(keys, [load(), load(), load()]);
  });

  test("in a damaged file stops the start, with the file's name and without its content", () => {
    load();
    const file = join(dataDirectory, MASTER_KEY_FILE);
    writeFileSync(file, "deadbeef");
    assert.throws(
      () => load(),
      (error) => error instanceof StartError && error.message.includes(file) && !error.message.includes("deadbeef"),
    );
  });
});
