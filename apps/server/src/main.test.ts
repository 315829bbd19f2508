import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";

const MAIN_FILE = fileURLToPath(new URL("main.ts", import.meta.url));

interface Server {
  readonly process: ChildProcess;
  readonly output: { stdout: string; stderr: string };
  /** Resolves with the exit code. */
  readonly ended: Promise<number | null>;
}

function startServer(environment: Record<string, string>): Server {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, [MAIN_FILE], { env: { PATH, NODE_COMPILE_CACHE, PORT: "0", ...environment } });
  const output = { stdout: "", stderr: "" };
  child.stdout.on("data", (text) => (output.stdout += String(text)));
  child.stderr.on("data", (text) => (output.stderr += String(text)));
  return {
    process: child,
    output,
    ended: once(child, "close").then(([code]) => (typeof code === "number" ? code : null)),
  };
}

/** The address that the server prints when it is ready. */
async function addressOf({ process: child, output, ended }: Server): Promise<string> {
  const done = ended.then(() => true);
  for (;;) {
    const address = /^One API is ready at (http:\/\/localhost:\d+)$/m.exec(output.stdout)?.[1];
    if (address !== undefined) return address;
    const over = await Promise.race([done, once(child.stdout ?? child, "data").then(() => false)]);
    assert.equal(over, false, `the server ended early: ${output.stderr}`);
  }
}

describe("the server process", () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "one-api-main-"));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  test("[START-13] starts, serves, restricts its data folder and stops on SIGTERM [START-30] [LOGIN-17] [LOGIN-19] [LOGIN-21]", async () => {
    const first = startServer({ DATA_DIR: folder });
    const address = await addressOf(first);
    const status: unknown = await (await fetch(`${address}/api/status`)).json();
    assert.ok(typeof status === "object" && status !== null && "success" in status && status.success === true);

    const second = startServer({ DATA_DIR: folder });
    assert.equal(await second.ended, 1);
    assert.match(second.output.stderr, /^DATA_DIR: the folder .* is in use by another running One API/);
    assert.equal(second.output.stdout, "");

    first.process.kill("SIGTERM");
    assert.equal(await first.ended, 0);
    assert.equal(first.output.stdout, `One API is ready at ${address}\nFirst login: root / 123456\n`);
    assert.match(first.output.stderr, /^Warning: root still has the default password/);

    const later = startServer({ DATA_DIR: folder });
    const laterAddress = await addressOf(later);
    for (const signal of ["SIGINT", "SIGTERM"] as const) later.process.kill(signal);
    assert.equal(await later.ended, 0, "a signal that comes twice at once is one");
    assert.equal(later.output.stdout, `One API is ready at ${laterAddress}\n`, "the first login is told once");
    assert.match(later.output.stderr, /default password/);
  });

  test("names an invalid variable and exits with code 1, without a stack [START-29]", async () => {
    const server = startServer({ DATA_DIR: folder, PORT: "99999" });
    assert.equal(await server.ended, 1);
    assert.equal(server.output.stderr, "PORT must be a number from 0 to 65535.\n");
  });

  test("names PORT when it is in use", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const bound = other.address();
    assert.ok(bound !== null && typeof bound === "object");
    const server = startServer({ DATA_DIR: join(folder, "port"), PORT: String(bound.port) });
    assert.equal(await server.ended, 1);
    assert.equal(
      server.output.stderr,
      `PORT ${bound.port} on 127.0.0.1 is in use by another program. Stop it, or set PORT to a free port.\n`,
    );
    assert.equal(server.output.stdout, "");
    other.close();
  });

  test("serves the metrics on a port of their own, and then not on its own", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const bound = other.address();
    assert.ok(bound !== null && typeof bound === "object");
    const environment = { DATA_DIR: join(folder, "metrics"), METRICS_PORT: String(bound.port) };
    const refused = startServer(environment);
    assert.equal(await refused.ended, 1);
    assert.match(
      refused.output.stderr,
      /^METRICS_PORT \d+ on 127\.0\.0\.1 is in use .* set METRICS_PORT to a free port\.$/m,
    );

    other.close();
    await once(other, "close");
    const server = startServer(environment);
    const address = await addressOf(server);
    const metrics = await fetch(`http://127.0.0.1:${bound.port}/metrics`);
    assert.match(await metrics.text(), /^one_api_requests_in_flight 0$/m);
    assert.equal((await fetch(`${address}/metrics`)).status, 404);
    server.process.kill("SIGTERM");
    assert.equal(await server.ended, 0);
  });

  test("refuses a database of another master key, naming SECRET_KEY", async () => {
    const data = join(folder, "keys");
    const first = startServer({ DATA_DIR: data, SECRET_KEY: "a".repeat(40), ROOT_PASSWORD: "a-password-of-mine" });
    await addressOf(first);
    first.process.kill("SIGTERM");
    assert.equal(await first.ended, 0);
    assert.doesNotMatch(first.output.stdout, /First login|a-password-of-mine/, "the operator knows it [LOGIN-18]");
    const second = startServer({ DATA_DIR: data, SECRET_KEY: "b".repeat(40) });
    assert.equal(await second.ended, 1);
    assert.match(second.output.stderr, /do not open with the master key of SECRET_KEY/);
  });
});
