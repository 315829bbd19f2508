import assert from "node:assert/strict";
import { it } from "node:test";
import { openTestDatabase, whyMissing } from "@one-api/database/test-databases";
import { sampleToken, sampleUser } from "@one-api/database/testing/sample-rows";
import { sql } from "kysely";
import { z } from "zod";
import { inTransaction } from "../../core/transaction.ts";
import { insertUser } from "../../features/users/index.ts";
import { createQuotaLedger } from "../quota-ledger.ts";
import { GROUP_STATEMENT, groupParameters } from "./group-statement.ts";

const USERS = 60;
const TABLES = ["user_balances", "token_balances", "caller_versions"];

interface PlanNode {
  readonly "Node Type": string;
  readonly "Relation Name"?: string | undefined;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number | undefined;
  readonly Plans?: readonly PlanNode[] | undefined;
}

const nodeSchema: z.ZodType<PlanNode> = z.lazy(() =>
  z.object({
    "Node Type": z.string(),
    "Relation Name": z.string().optional(),
    "Actual Rows": z.number(),
    "Actual Loops": z.number(),
    "Rows Removed by Filter": z.number().optional(),
    Plans: z.array(nodeSchema).optional(),
  }),
);
const planSchema = z.tuple([z.object({ Plan: nodeSchema })]);

/** What reads the tables. */
function scansOf(node: PlanNode): PlanNode[] {
  const below = (node.Plans ?? []).flatMap(scansOf);
  const isScan = node["Node Type"].endsWith("Scan") && TABLES.includes(node["Relation Name"] ?? "");
  return isScan ? [node, ...below] : below;
}

function rowsRead(scan: PlanNode): number {
  return (scan["Actual Rows"] + (scan["Rows Removed by Filter"] ?? 0)) * scan["Actual Loops"];
}

const quoted = (value: unknown) => (typeof value === "number" ? String(value) : `'${String(value)}'`);

it(
  "a group reads the rows of its own accounts alone, also where the server takes their tables for nearly empty",
  { skip: whyMissing("postgres") ?? false },
  async (t) => {
    const database = await openTestDatabase("postgres");
    t.after(() => database.close());
    const { writeStatement: run } = database;
    assert.ok(run);
    const accounts: { readonly userId: number; readonly tokenId: number }[] = [];
    await inTransaction(database, async (transaction) => {
      for (let index = 0; index < USERS; index += 1) {
        const userId = await insertUser(transaction, sampleUser({ username: `user-${index}` }));
        await createQuotaLedger().grant(transaction, { userId, amount: 1_000, note: "", at: 0 });
        const token = sampleToken({ user_id: userId });
        const { id } = await transaction.insertInto("tokens").values(token).returning("id").executeTakeFirstOrThrow();
        await transaction.insertInto("token_balances").values({ token_id: id, remaining: 1_000 }).execute();
        await transaction.insertInto("caller_versions").values({ user_id: userId, version: 1 }).execute();
        accounts.push({ userId, tokenId: id });
      }
    });
    // What a clean-up leaves that looked into the tables while the rows were being added.
    for (const table of TABLES)
      await sql`update pg_class set relpages = 100, reltuples = 1 where oid = cast(${table} as regclass)`.execute(
        database.db,
      );
    const group = accounts.slice(40, 45);
    const change = (id: number) => ({ id, net: -10, charged: 0, requests: 0, at: 0 });
    const parameters = groupParameters({
      users: group.map(({ userId }) => change(userId)),
      tokens: group.map(({ tokenId }) => change(tokenId)),
      ended: [],
      holds: [],
      usage: [],
      spentByChannel: [],
      callers: group.map(({ userId }) => ({ userId, version: 1 })),
      durability: "in-order",
    });
    await run(`prepare one_group as ${GROUP_STATEMENT}`, []);
    const { rows } = await run(
      `explain (analyze, format json) execute one_group (${parameters.map(quoted).join(", ")})`,
      [],
    );
    const [{ Plan }] = planSchema.parse(rows[0]?.["QUERY PLAN"]);
    const scans = scansOf(Plan);
    const inOrder = ["Index Scan", "Index Scan", "Index Scan"];
    assert.deepEqual(
      scans.map((scan) => scan["Node Type"]),
      inOrder,
      "several processes lock rows in one order",
    );
    const read = scans.map(rowsRead);
    assert.ok(Math.max(...read) <= group.length, `${read.join(", ")} rows`);
    const changed = await database.db
      .selectFrom("user_balances")
      .select("user_id as userId")
      .where("remaining", "=", 990)
      .orderBy("user_id")
      .execute();
    assert.deepEqual(
      changed.map(({ userId }) => userId),
      group.map(({ userId }) => userId),
    );
  },
);
