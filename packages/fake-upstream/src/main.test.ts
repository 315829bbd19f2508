import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { suite, test } from "node:test";
import { promisify } from "node:util";
import { rawChat } from "./testing/raw-request.ts";

const main = new URL("main.ts", import.meta.url).pathname;

suite("the command line", () => {
  test("prints the address, serves what its flags say, and leaves quietly", async (t) => {
    const flags = ["--pieces", "6", "--chunk-delay-ms", "1", "--models", "one,two", "--key", "sk-test"];
    const server = spawn(process.execPath, [main, ...flags], { stdio: ["ignore", "pipe", "inherit"] });
    t.after(() => server.kill("SIGKILL"));
    const line = await new Promise((resolve) => server.stdout.once("data", resolve));
    const url = /^fake upstream: (http:\/\/127\.0\.0\.1:\d+)\n$/.exec(String(line))?.[1];
    assert.ok(url !== undefined);
    const { text } = await rawChat(url);
    assert.partialDeepStrictEqual(JSON.parse(text), { usage: { completion_tokens: 6 } });
    const models = await fetch(`${url}/v1/models`, { headers: { authorization: "Bearer sk-test" } });
    assert.partialDeepStrictEqual(await models.json(), { data: [{ id: "one" }, { id: "two" }] });
    server.kill("SIGTERM");
    assert.deepEqual(await once(server, "exit"), [0, null]);
  });

  test("refuses a wrong flag by name", async () => {
    const run = promisify(execFile)(process.execPath, [main, "--delay-ms", "soon"]);
    await assert.rejects(run, { code: 1, stderr: /--delay-ms must be a whole number of 0 or more, not soon/ });
  });
});
