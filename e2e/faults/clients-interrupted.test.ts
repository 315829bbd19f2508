import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";

const SCRIPT = fileURLToPath(new URL("../clients/run-clients.ts", import.meta.url));
/** A client of the script's list. The registry of the test has a package of that name that runs until it is killed. */
const CLIENT = { recipe: "pi", package: "@earendil-works/pi-coding-agent", command: "pi" };

/** Packs the client, which reports to `url` once it runs. */
function packClient(folder: string, url: string): Buffer {
  const version = "1.0.0";
  const manifest = { name: CLIENT.package, version, type: "module", bin: { [CLIENT.command]: "client.js" } };
  mkdirSync(join(folder, "package"));
  writeFileSync(join(folder, "package", "package.json"), JSON.stringify(manifest));
  writeFileSync(join(folder, "package", "client.js"), `#!/usr/bin/env node\nawait fetch("${url}/running");\n`);
  const { status } = spawnSync("tar", ["-czf", "package.tgz", "package"], { cwd: folder });
  assert.equal(status, 0);
  return readFileSync(join(folder, "package.tgz"));
}

function describeClient(url: string): object {
  const version = { name: CLIENT.package, version: "1.0.0", bin: { [CLIENT.command]: "client.js" } };
  return {
    name: CLIENT.package,
    "dist-tags": { latest: "1.0.0" },
    versions: { "1.0.0": { ...version, dist: { tarball: `${url}/package.tgz` } } },
  };
}

/** Starts an npm registry with the client. `running` resolves with the open request of the client that runs. */
async function startRegistry(t: TestContext, folder: string) {
  const running = Promise.withResolvers<ServerResponse>();
  const server: Server = createServer((request, response) => {
    if (request.url === "/running") running.resolve(response);
    else if (request.url === "/package.tgz") response.end(tarball);
    else response.setHeader("content-type", "application/json").end(JSON.stringify(describeClient(url)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  const url = `http://127.0.0.1:${address.port}`;
  const tarball = packClient(folder, url);
  return { url, running: running.promise };
}

for (const signal of ["SIGINT", "SIGTERM"] as const)
  test(`${signal} ends the clients' script with its gateway, its client and its folder`, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), "one-api-interrupted-"));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const { url, running } = await startRegistry(t, folder);
    const temporary = join(folder, "tmp");
    mkdirSync(temporary);
    const env = {
      ...process.env,
      TMPDIR: temporary,
      npm_config_registry: url,
      npm_config_cache: join(folder, "cache"),
      NODE_DISABLE_COMPILE_CACHE: "1",
    };
    const script = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", SCRIPT, CLIENT.recipe], {
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    t.after(() => script.kill("SIGKILL"));
    let output = "";
    for (const stream of [script.stdout, script.stderr])
      stream.on("data", (text: Buffer) => {
        output += text.toString();
      });
    // The gateway holds the script's error stream, so that closes when both have ended.
    const closed = once(script, "close");
    const ended = closed.then(() => assert.fail(`The script ended before its client ran: ${output}`));
    const request = await Promise.race([running, ended]);
    const clientEnded = once(request, "close");
    script.kill(signal);
    assert.deepEqual(await closed, [null, signal], output);
    await clientEnded;
    assert.deepEqual(readdirSync(temporary), []);
  });
