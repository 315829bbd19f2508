import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { updateOption } from "@one-api/contract/options/option";
import { createTestApp, type TestApp } from "../testing/create-test-app.ts";

const PAGE = '<!doctype html><meta name="csp-nonce" content="__CSP_NONCE__"><script src="/theme-boot.js"></script>';

describe("the console's files", () => {
  let folder: string;
  let testApp: TestApp;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "one-api-console-"));
    mkdirSync(join(folder, "dist", "assets"), { recursive: true });
    writeFileSync(join(folder, "dist", "index.html"), PAGE);
    writeFileSync(join(folder, "dist", "theme-boot.js"), "boot()");
    writeFileSync(join(folder, "dist", "assets", "main-abc123.js"), "main()");
    writeFileSync(join(folder, "dist", "assets", "main-abc123.js.br"), brotliCompressSync("main()"));
    writeFileSync(join(folder, "dist", "assets", "main-abc123.js.gz"), gzipSync("main()"));
    writeFileSync(join(folder, "secret.txt"), "outside");
    testApp = await createTestApp({ consoleDirectory: join(folder, "dist") });
  });
  after(async () => {
    await testApp.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const get = (url: string) => testApp.app.inject({ url });

  test("the page has a nonce of its own on every load, in the policy and in place of the placeholder", async () => {
    const nonces = new Set<string>();
    for (const url of ["/", "/login", "/user/edit/", "/channel/edit/5?x=1", "/index.html", "/no/such/page"]) {
      const { statusCode, headers, payload } = await get(url);
      assert.equal(statusCode, 200, url);
      assert.equal(headers["content-type"], "text/html; charset=utf-8");
      assert.equal(headers["cache-control"], "no-cache");
      const nonce = /content="([\w+/=]{24})"/.exec(payload)?.[1] ?? "";
      assert.equal(payload, PAGE.replace("__CSP_NONCE__", nonce));
      assert.ok(String(headers["content-security-policy"]).includes(`script-src 'self' 'nonce-${nonce}';`));
      nonces.add(nonce);
    }
    assert.equal(nonces.size, 6);
  });

  test("a monitor that asks at an address without metrics or a probe gets no page, whatever it accepts", async () => {
    const asked = [
      ["/METRICS", "GET"],
      ["/metrics", "POST"],
      ["/metrics/", "PUT"],
      ["/healthz/ready", "GET"],
      ["/healthcheck", "GET"],
      ["/live", "GET"],
      ["/ready?full", "GET"],
      ["/ping", "HEAD"],
      ["/-/healthy", "GET"],
      ["/actuator/health", "GET"],
    ] as const;
    for (const [url, method] of asked) {
      const { statusCode, headers } = await testApp.app.inject({ url, method, headers: { accept: "text/html" } });
      assert.deepEqual([statusCode, headers["content-type"]], [404, "application/json; charset=utf-8"], url);
    }
    for (const url of ["/metrics-page", "/ready-made", "/lively"]) assert.equal((await get(url)).statusCode, 200, url);
  });

  test("the page lets the human check's script run only while that is switched on", async () => {
    const scripts = async () =>
      /script-src [^;]+/.exec(String((await get("/")).headers["content-security-policy"]))?.[0];
    assert.doesNotMatch(String(await scripts()), /https?:/);
    const { client } = await testApp.logInAs("root");
    for (const [key, value] of [
      ["TurnstileAddress", "https://check.example/path"],
      ["TurnstileSiteKey", "site"],
      ["TurnstileSecretKey", "secret"],
      ["TurnstileCheckEnabled", "true"],
    ])
      await client.data(updateOption, { body: { key, value } });
    assert.match(String(await scripts()), / https:\/\/check\.example$/);
    await client.data(updateOption, { body: { key: "TurnstileAddress", value: "" } });
    assert.match(String(await scripts()), / https:\/\/challenges\.cloudflare\.com$/);
    await client.data(updateOption, { body: { key: "TurnstileCheckEnabled", value: "false" } });
  });

  test("the page's policy lets nothing else run and nobody frame it", async () => {
    const { headers } = await get("/");
    const policy = String(headers["content-security-policy"]).replace(/'nonce-[^']+'/g, "'nonce'");
    assert.deepEqual(policy.split("; "), [
      "default-src 'none'",
      "script-src 'self' 'nonce'",
      "style-src 'self' 'nonce'",
      "img-src 'self' https: http: data:",
      "font-src 'self'",
      "connect-src 'self'",
      "manifest-src 'self'",
      "frame-src https: http:",
      "base-uri 'none'",
      "form-action 'self'",
      "object-src 'none'",
      "frame-ancestors 'none'",
    ]);
    assert.equal(headers["x-content-type-options"], "nosniff");
    assert.equal(headers["referrer-policy"], "no-referrer");
    assert.equal(headers["cross-origin-opener-policy"], "same-origin-allow-popups");
    assert.match(String(headers["permissions-policy"]), /camera=\(\)/);
  });

  test("files named by their content are kept for good, others are asked for again", async () => {
    const asset = await get("/assets/main-abc123.js");
    assert.equal(asset.payload, "main()");
    assert.match(String(asset.headers["content-type"]), /javascript/);
    assert.equal(asset.headers["cache-control"], "public, max-age=31536000, immutable");
    assert.equal(asset.headers["x-content-type-options"], "nosniff");
    assert.match(String(asset.headers["content-security-policy"]), /default-src 'none'/);
    const boot = await get("/theme-boot.js");
    assert.equal(boot.payload, "boot()");
    assert.equal(boot.headers["cache-control"], "no-cache");
  });

  test("text goes out compressed as far as the browser takes it, files as the build made them, the page on the fly", async () => {
    const decoders = { br: brotliDecompressSync, gzip: gunzipSync, undefined: (bytes: Buffer) => bytes };
    const cases: [accepted: string | undefined, encoding: keyof typeof decoders][] = [
      ["gzip, deflate, br, zstd", "br"],
      ["br;q=0.1, gzip;q=0.9", "gzip"],
      ["gzip", "gzip"],
      ["br;q=0, gzip", "gzip"],
      ["GZIP;q=0.5", "gzip"],
      ["identity", "undefined"],
      ["br;q=0, gzip;q=0", "undefined"],
      ["zstd", "undefined"],
      ["", "undefined"],
      [undefined, "undefined"],
    ];
    for (const [accepted, encoding] of cases) {
      const headers = accepted === undefined ? {} : { "accept-encoding": accepted };
      for (const url of ["/login", "/assets/main-abc123.js"]) {
        const answer = await testApp.app.inject({ url, headers });
        assert.equal(String(answer.headers["content-encoding"]), encoding, `${url} for ${accepted}`);
        assert.match(String(answer.headers.vary).toLowerCase(), /accept-encoding/);
        assert.match(String(answer.headers["content-type"]), url === "/login" ? /^text\/html/ : /javascript/);
        const text = decoders[encoding](answer.rawPayload).toString();
        assert.match(text, url === "/login" ? /^<!doctype html>/ : /^main\(\)$/);
      }
    }
  });

  test("each encoding of a file has an ETag of its own, and only that one is answered with 304", async () => {
    const url = "/assets/main-abc123.js";
    const tags = new Map<string, string>();
    for (const encoding of ["br", "gzip", "identity"]) {
      const { headers } = await testApp.app.inject({ url, headers: { "accept-encoding": encoding } });
      assert.equal(headers["cache-control"], "public, max-age=31536000, immutable");
      tags.set(encoding, String(headers.etag));
    }
    assert.equal(new Set(tags.values()).size, 3);
    const ask = (tag: string, encoding: string) =>
      testApp.app.inject({ url, headers: { "accept-encoding": encoding, "if-none-match": tags.get(tag) ?? "" } });
    assert.equal((await ask("br", "br")).statusCode, 304);
    assert.equal((await ask("br", "gzip")).statusCode, 200);
  });

  test("the compressed files have no addresses of their own", async () => {
    assert.equal((await get("/assets/main-abc123.js.br")).statusCode, 404);
  });

  test("a missing file is not replaced by the page, and nothing outside the folder is served", async () => {
    for (const url of ["/assets/gone-1.js", "/assets/"]) assert.equal((await get(url)).statusCode, 404, url);
    for (const url of [
      "/../secret.txt",
      "/%2e%2e/secret.txt",
      "/assets/..%2f..%2fsecret.txt",
      "//secret.txt",
      "/..\\secret.txt",
    ]) {
      const { statusCode, payload } = await get(url);
      assert.ok(statusCode < 500, `${url}: ${statusCode}`);
      assert.doesNotMatch(payload, /outside/, url);
    }
  });

  test("only GET and HEAD find the page", async () => {
    for (const method of ["POST", "PUT", "DELETE"] as const) {
      const response = await testApp.app.inject({ method, url: "/login" });
      assert.equal(response.statusCode, 404);
    }
  });

  test("[CALL-01] a call that there is not is refused as calls are, not answered with the page", async () => {
    for (const url of ["/api/none?key=sk-secret", "/api/none/", "/api"]) {
      const { statusCode, headers, payload } = await get(url);
      assert.equal(statusCode, 404, url);
      assert.equal(headers["content-type"], "application/json; charset=utf-8");
      assert.equal(headers["cache-control"], "no-store");
      const path = url.split("?")[0];
      const refusal = { success: false, message: `There is no call GET ${path}.`, data: null, code: "not-found" };
      assert.deepEqual(JSON.parse(payload), { ...refusal, values: { method: "GET", path } });
    }
  });

  test("without a built console the page says how to build it", async () => {
    const bare = await createTestApp();
    const response = await bare.app.inject({ url: "/" });
    assert.equal(response.statusCode, 503);
    assert.match(response.payload, /npm start/);
    await bare.close();
  });
});
