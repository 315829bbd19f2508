import assert from "node:assert/strict";
import dns from "node:dns";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { connect } from "node:net";
import { describe, mock, test, type TestContext } from "node:test";
import { ForbiddenAddressError } from "./checked-connector.ts";
import { fetchJson } from "./fetch-json.ts";

/** A server on the loopback address for one test. */
async function listen(t: TestContext, answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, "listening");
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  return `http://127.0.0.1:${address.port}`;
}

describe("requests to other servers", () => {
  test("send JSON or a form, and return the answer of any status", async (t) => {
    const address = await listen(t, (request, response) => {
      request.setEncoding("utf8").on("data", (text: string) => {
        response.writeHead(400).end(JSON.stringify([request.headers["content-type"], text]));
      });
    });
    const json = await fetchJson(address, { method: "POST", body: { a: "1" } });
    assert.deepEqual(json, ["application/json", '{"a":"1"}']);
    const form = await fetchJson(address, { method: "POST", body: new URLSearchParams({ a: "1 2" }) });
    assert.deepEqual(form, ["application/x-www-form-urlencoded;charset=UTF-8", "a=1+2"]);
  });

  test("go through a proxy, which never leads to a metadata service", async (t) => {
    const address = await listen(t, (_request, response) => response.end('"there"'));
    const asked: (string | undefined)[] = [];
    const proxy = createServer().listen(0, "127.0.0.1");
    t.after(() => proxy.close().closeAllConnections());
    proxy.on("connect", (request, socket) => {
      asked.push(request.url);
      const { hostname, port } = new URL(`http://${request.url ?? ""}`);
      const target = connect(Number(port), hostname, () => {
        socket.write("HTTP/1.1 200 OK\r\n\r\n");
        target.pipe(socket).pipe(target);
      });
    });
    await once(proxy, "listening");
    const at = proxy.address();
    assert.ok(at !== null && typeof at === "object");
    const through = { method: "GET", proxy: `http://127.0.0.1:${at.port}` } as const;
    assert.equal(await fetchJson(address, through), "there");
    assert.deepEqual(asked, [new URL(address).host]);
    await assert.rejects(fetchJson("http://169.254.169.254/latest", through), ForbiddenAddressError);
    assert.equal(asked.length, 1);
  });

  test("refuse names and addresses of metadata services", async () => {
    for (const [index, found] of [
      "169.254.169.254",
      "fe80::1",
      "::ffff:169.254.169.254",
      "100.100.100.200",
    ].entries()) {
      mock.method(dns, "lookup", (_name: string, options: dns.LookupOptions, done: (...found: unknown[]) => void) => {
        const family = found.includes(":") ? 6 : 4;
        // A forbidden address after an allowed one.
        const all = [
          { address: "127.0.0.1", family: 4 },
          { address: found, family },
        ];
        process.nextTick(() => (options.all === true ? done(null, all) : done(null, found, family)));
      });
      const asked = fetchJson(`http://innocent${index}.example/`, { method: "GET" });
      await assert.rejects(asked, ForbiddenAddressError, found);
      mock.restoreAll();
    }
    for (const host of ["169.254.169.254", "[fe80::1]", "0xA9FEA9FE", "metadata.google.internal"])
      await assert.rejects(fetchJson(`http://${host}/`, { method: "GET" }), ForbiddenAddressError, host);
  });

  test("follow no redirect", async (t) => {
    let led = 0;
    const elsewhere = await listen(t, (_request, response) => {
      led += 1;
      response.end("{}");
    });
    const address = await listen(t, (_request, response) => response.writeHead(307, { location: elsewhere }).end("{}"));
    await assert.rejects(fetchJson(address, { method: "POST", body: { secret: "1" } }), /leads elsewhere/);
    assert.equal(led, 0);
  });

  test("are limited in time and length", async (t) => {
    const endless = await listen(t, (_request, response) => {
      const write = () => void (response.write(" ".repeat(65_536)) && setImmediate(write));
      response.on("drain", write);
      write();
    });
    await assert.rejects(fetchJson(endless, { method: "GET" }), /longer than/);
    const silent = await listen(t, (_request, response) => void response.write("{"));
    await assert.rejects(fetchJson(silent, { method: "GET" }), { name: "TimeoutError" });
  });
});
