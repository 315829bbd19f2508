import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "@playwright/test";
import { z } from "zod";
import { tour } from "./stage.ts";

const CONFIG = path.join(import.meta.dirname, "../../apps/server/src/configure/run-config.ts");
const newKeySchema = z.object({ key: z.string() });
const answerSchema = z.looseObject({ data: z.unknown(), code: z.optional(z.string()), message: z.string() });

tour("a document changes the server, and a plan finds what somebody changed by hand", async ({ stage }) => {
  const folder = mkdtempSync(path.join(tmpdir(), "one-api-tour-"));
  try {
    const provider = await stage.provider();
    const { key } = newKeySchema.parse(
      await stage.root.send("POST", "/api/management-key/", {
        name: "CI",
        scopes: ["configuration:read", "configuration:write"],
        networks: ["127.0.0.1"],
      }),
    );
    const file = path.join(folder, "gateway.yaml");
    const run = (command: string) =>
      new Promise<{ code: number; output: string }>((resolve) => {
        const env = { ...process.env, ONE_API_URL: stage.gateway.url, ONE_API_KEY: key, PROVIDER_KEY: "sk-secret" };
        const options = ["--disable-warning=ExperimentalWarning", CONFIG, command, file];
        const child = execFile(process.execPath, options, { env }, (_error, stdout, stderr) =>
          resolve({ code: child.exitCode ?? -1, output: stdout + stderr }),
        );
      });

    expect(await run("export")).toMatchObject({ code: 0 });
    const exported = readFileSync(file, "utf8");
    const channels = `channels:
  - { name: North, type: openai, key: "env:PROVIDER_KEY", base_url: "${provider.at("openai")}", models: [gpt-4o-mini] }
`;
    writeFileSync(file, exported.replace(/^channels:.*\n/m, "") + channels);
    expect(await run("plan")).toMatchObject({ code: 1 });
    expect(await run("apply")).toMatchObject({ code: 0 });
    expect(await run("plan")).toMatchObject({ code: 0 });
    const token = await stage.addToken("app");
    expect((await stage.ask(token, { model: "gpt-4o-mini" })).status).toBe(200);

    await stage.root.send("PUT", "/api/channel/", { id: 1, priority: 7 });
    const drift = await run("plan");
    expect(drift.code).toBe(1);
    expect(drift.output).toContain("priority");

    await stage.open("/management-keys");
    await stage.photograph("keys");
    await stage.open("/audit");
    await stage.photograph("audit");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

tour(
  "a key does what its scopes say, a repeated call has no second effect, and typing errors are named",
  async ({ stage }) => {
    const { key } = newKeySchema.parse(
      await stage.root.send("POST", "/api/management-key/", {
        name: "Shop",
        scopes: ["redemptions:write", "logs:read"],
      }),
    );
    const call = async (method: string, address: string, body?: object) => {
      const headers = {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        "idempotency-key": "order-17",
      };
      const answer = await fetch(stage.gateway.url + address, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const { data, code, message } = answerSchema.parse(await answer.json());
      return { status: answer.status, replayed: answer.headers.get("idempotency-replayed"), data, code, message };
    };

    expect(await call("GET", "/api/channel/")).toMatchObject({ status: 403, code: "management-key-scope" });
    const codes = { name: "order 17", quota: 500_000, count: 2 };
    const first = await call("POST", "/api/redemption/", codes);
    expect(first).toMatchObject({ status: 200, replayed: null });
    const again = await call("POST", "/api/redemption/", codes);
    expect(again).toMatchObject({ status: 200, replayed: "true", data: first.data });
    expect(await call("POST", "/api/redemption/", { ...codes, count: 9 })).toMatchObject({
      status: 422,
      code: "idempotency-key-reused",
    });
    const mistyped = await call("GET", "/api/log/?chanel=3");
    expect(mistyped).toMatchObject({
      status: 400,
      message: "chanel is no parameter of this call. Did you mean channel?",
    });
    const document = z.object({ paths: z.record(z.string(), z.unknown()) });
    const openapi = document.parse(await (await fetch(`${stage.gateway.url}/api/openapi.json`)).json());
    expect(Object.keys(openapi.paths)).toContain("/api/redemption/");

    await stage.open("/redemption");
    await expect(stage.page.getByRole("row")).toHaveCount(3);
    await stage.photograph("codes");
  },
);
