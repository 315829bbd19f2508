import assert from "node:assert/strict";
import { test } from "node:test";
import { connectDatabase } from "@one-api/database/connect-database";
import type { DatabaseLocation } from "@one-api/database/open-database";
import { createTestDatabase, DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import { z } from "zod";
import { type GatewayClient, logInToGateway } from "../gateway/gateway-client.ts";
import { type Gateway, startGateway } from "../gateway/start-gateway.ts";

const CODES = 40;
const QUOTA = 700;
const PASSWORD = "a good password";
const USERS = ["ada", "grace", "linus"];
/** The gateways are killed when so many codes were paid, while others are anywhere between their mark and their commit. */
const KILL_AFTER_PAID = [1, 9, 20];

interface Payment {
  readonly username: string;
  readonly code: string;
}

/** Has every user redeem every code at every gateway at once; returns what the gateways said was paid before they died. */
async function redeemAll(
  gateways: readonly Gateway[],
  codes: readonly string[],
  onPaid: () => void,
): Promise<Payment[]> {
  const paid: Payment[] = [];
  const redeem = async (username: string, client: GatewayClient, code: string) => {
    try {
      await client.send("POST", "/api/user/topup", { key: code });
    } catch {
      // Refused, or the gateway was killed.
      return;
    }
    paid.push({ username, code });
    onPaid();
  };
  const clients = await Promise.all(
    gateways.flatMap(({ url }) =>
      USERS.map(async (username) => ({ username, client: await logInToGateway(url, username, PASSWORD) })),
    ),
  );
  await Promise.all(codes.flatMap((code) => clients.map(({ username, client }) => redeem(username, client, code))));
  return paid;
}

/** Reads the database of gateways that have ended: every code has paid once, to whom the gateway said, and balances, ledger and log agree. */
async function expectEachPaidOnce(location: DatabaseLocation, said: readonly Payment[]): Promise<void> {
  const database = await connectDatabase(location);
  try {
    const { db } = database;
    const entries = await db
      .selectFrom("ledger_entries")
      .innerJoin("users", "users.id", "user_id")
      .select(["request_id", "username", "user_amount"])
      .where("kind", "=", "redeem")
      .execute();
    assert.equal(entries.length, CODES);
    assert.equal(new Set(entries.map(({ request_id }) => request_id)).size, CODES);
    assert.equal(new Set(said.map(({ code }) => code)).size, said.length, "no code was said to be paid twice");
    for (const username of USERS) {
      const own = entries.filter((entry) => entry.username === username);
      assert.ok(own.length >= said.filter((payment) => payment.username === username).length, username);
      const { remaining } = await db
        .selectFrom("user_balances")
        .innerJoin("users", "users.id", "user_id")
        .select("remaining")
        .where("username", "=", username)
        .executeTakeFirstOrThrow();
      assert.equal(remaining, own.length * QUOTA, username);
      const logs = await db.selectFrom("logs").select("quota").where("username", "=", username).execute();
      assert.deepEqual(
        logs.map(({ quota }) => quota),
        own.map(({ user_amount }) => user_amount),
      );
    }
    const open = await db.selectFrom("redemptions").select("id").where("status", "!=", 3).execute();
    assert.deepEqual(open, []);
  } finally {
    await database.close();
  }
}

for (const kind of DATABASE_KINDS) {
  const options = { skip: whyMissing(kind) ?? false };
  test(
    `[START-24] a code pays once under races and kill -9, at ${kind === "postgres" ? "two gateways" : "one gateway"} on ${kind}`,
    options,
    async (t) => {
      const made = await createTestDatabase(kind);
      t.after(() => made.remove());
      const start = () =>
        Promise.all(Array.from({ length: kind === "postgres" ? 2 : 1 }, () => startGateway(made.location)));
      let gateways = await start();
      t.after(() => Promise.all(gateways.map((gateway) => gateway.kill())));
      const root = await logInToGateway(gateways[0]?.url ?? "");
      for (const username of USERS) await root.send("POST", "/api/user/", { username, password: PASSWORD });
      const body = { name: "raced", quota: QUOTA, count: CODES };
      const codes = z.array(z.string()).parse(await root.send("POST", "/api/redemption/", body));
      const said: Payment[] = [];
      for (const [round, wanted] of [...KILL_AFTER_PAID, Number.POSITIVE_INFINITY].entries()) {
        if (round > 0) {
          await Promise.all(gateways.map((gateway) => gateway.kill()));
          gateways = await start();
        }
        let paid = 0;
        const killWhenEnough = () => {
          paid += 1;
          if (paid === wanted) for (const gateway of gateways) void gateway.kill();
        };
        said.push(...(await redeemAll(gateways, codes, killWhenEnough)));
      }
      await Promise.all(gateways.map((gateway) => gateway.terminate()));
      await expectEachPaidOnce(made.location, said);
    },
  );
}
