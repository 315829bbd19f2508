import { openDatabase } from "@one-api/database/open-database";
import { startFakeUpstream } from "@one-api/fake-upstream/start-fake-upstream";
import { expect, test } from "@playwright/test";
import { rmSync } from "node:fs";
import { z } from "zod";
import { logInToGateway } from "./gateway-client.ts";
import { startGateway } from "./start-gateway.ts";

const REQUESTS = 60;
const KILLS = 4;
const tokenSchema = z.object({ key: z.string() });

/** Sends one streamed request and returns its id once the end mark has arrived; undefined when the server died before. */
async function streamToEnd(url: string, key: string): Promise<string | undefined> {
  try {
    const answer = await fetch(`${url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({
        model: "gpt-4o-mini",
        stream: true,
        messages: [{ role: "user", content: "count with me" }],
        max_tokens: 100,
      }),
    });
    const text = await answer.text();
    return text.includes("[DONE]") ? (answer.headers.get("x-request-id") ?? undefined) : undefined;
  } catch {
    return undefined;
  }
}

test("after kill -9 under load every delivered answer is charged exactly once and all balances add up", async () => {
  const upstream = await startFakeUpstream({ behaviour: { kind: "normal", chunkDelayMs: 15, pieces: 12 } });
  let gateway = await startGateway();
  const client = await logInToGateway(gateway.url);
  await client.send("POST", "/api/channel/", {
    type: 1,
    name: "stub",
    key: "sk-stub",
    base_url: upstream.url,
    models: "gpt-4o-mini",
  });
  const { key } = tokenSchema.parse(
    await client.send("POST", "/api/token/", { name: "t", remain_quota: 50_000_000, rpm_limit: 0, tpm_limit: 0 }),
  );
  const delivered: string[] = [];
  for (let kill = 0; kill < KILLS; kill += 1) {
    const running = Array.from({ length: REQUESTS }, async (_, index) => {
      await new Promise((resolve) => setTimeout(resolve, (index * 7) % 250));
      return streamToEnd(gateway.url, `sk-${key}`);
    });
    await new Promise((resolve) => setTimeout(resolve, 150 + kill * 90));
    await gateway.kill();
    for (const id of await Promise.all(running)) if (id !== undefined) delivered.push(id);
    gateway = await startGateway(gateway.dataDirectory);
  }
  expect(await streamToEnd(gateway.url, `sk-${key}`)).toBeDefined();
  const { dataDirectory } = gateway;
  await gateway.kill();
  const recovered = await startGateway(dataDirectory);
  await recovered.kill();

  const database = await openDatabase({ databaseUrl: "", dataDirectory });
  try {
    const charges = await database.db
      .selectFrom("ledger_entries")
      .select(["request_id", "user_amount"])
      .where("kind", "=", "charge")
      .execute();
    for (const id of delivered) expect(charges.filter((charge) => charge.request_id === id)).toHaveLength(1);
    expect(delivered.length).toBeGreaterThan(0);
    expect(await database.db.selectFrom("reservations").select("request_id").execute()).toEqual([]);
    const spent = charges.reduce((sum, charge) => sum - charge.user_amount, 0);
    const user = await database.db
      .selectFrom("users")
      .select(["quota", "used_quota"])
      .where("username", "=", "root")
      .executeTakeFirstOrThrow();
    const token = await database.db
      .selectFrom("tokens")
      .select(["remain_quota", "used_quota"])
      .executeTakeFirstOrThrow();
    expect({ ...user }).toEqual({ quota: 500_000_000_000_000 - spent, used_quota: spent });
    expect({ ...token }).toEqual({ remain_quota: 50_000_000 - spent, used_quota: spent });
  } finally {
    await database.close();
    await upstream.close();
    rmSync(dataDirectory, { recursive: true, force: true });
  }
});
