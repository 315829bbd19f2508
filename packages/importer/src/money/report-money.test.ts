import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { balancesOf } from "./compare-balances.ts";
import { readOldCharge } from "./old-charge.ts";
import { readOldPrices } from "./old-prices.ts";
import { openOldServer } from "../old-server.ts";
import { planImport } from "../plan-import.ts";
import { setPricesOf } from "../plan-prices.ts";
import { reportMoney } from "./report-money.ts";
import { createOldFile, type OldRows } from "../testing/old-database.ts";
import { simpleRules } from "../testing/simple-rules.ts";

type Product = "one-api" | "new-api";
type Charge = Readonly<Record<string, string | number>>;

const RATIOS = { key: "ModelRatio", value: '{"m":2,"picture":20}' };
const COMPLETIONS = { key: "CompletionRatio", value: '{"m":3}' };
const CHANNEL = { id: 1, type: 1, key: "k", name: "c", models: "m,n,picture", group: "default" };

async function report(product: Product, rows: OldRows, balance = 0) {
  const old = await openOldServer(createOldFile({ channels: [CHANNEL], ...rows }, product));
  const charges = await old.lastCharges(1_000);
  await old.close();
  const plan = planImport(old.server, simpleRules, 1_800_000_000);
  const balances = balancesOf(plan);
  const root = balances.users.get(1);
  if (root === undefined) throw new Error("no root");
  const users = new Map([...balances.users, [1, { ...root, remaining: root.remaining + balance }]]);
  const here = { balances: { ...balances, users }, ratios: setPricesOf(plan.settings) };
  return reportMoney({ old: old.server, plan, charges, here, rules: simpleRules });
}

/** Lines on charges of these entries, and whether all agrees. */
async function compare(product: Product, entries: readonly Charge[], options = [RATIOS, COMPLETIONS]) {
  const logs = entries.map((entry, index) => ({ id: index + 1, user_id: 1, type: 2, channel_id: 1, ...entry }));
  const { lines, agrees } = await report(product, { options, logs });
  const start = lines.findIndex((line) => line.startsWith("The last"));
  return { lines: lines.slice(start + 1).filter((line) => line !== ""), agrees };
}

const other = (fields: object) =>
  JSON.stringify({ model_ratio: 2, completion_ratio: 3, group_ratio: 1, model_price: -1, ...fields });

describe("charges of One API", () => {
  test("agree by the settings", async () => {
    const { lines, agrees } = await compare("one-api", [
      { model_name: "m", prompt_tokens: 10, completion_tokens: 5, quota: 50 },
      { model_name: "m", prompt_tokens: 0, completion_tokens: 0, quota: 0 },
      { model_name: "picture", prompt_tokens: 0, quota: 80_000 },
      { model_name: "", prompt_tokens: 5, quota: 10 },
      { model_name: "m", user_id: 99, prompt_tokens: 5, quota: 10 },
    ]);
    assert.deepEqual(lines, ["  equal 2, equal but for rounding 0, different 0, not comparable 3"]);
    assert.equal(agrees, true);
  });

  test("are those of the log for a model without a setting", async () => {
    const { lines, agrees } = await compare("one-api", [
      { model_name: "n", prompt_tokens: 10, quota: 40 },
      { model_name: "n", prompt_tokens: 30, quota: 120 },
      { model_name: "n", prompt_tokens: 7, quota: 7 },
      { model_name: "n\u001b[31m\nno", prompt_tokens: 7, quota: 70 },
    ]);
    assert.deepEqual(lines, [
      "  equal 1, equal but for rounding 0, different 3, not comparable 0",
      "Charges that differ, by model:",
      "  n, 2 charges, 160 quota there, 40 here (-75 %): model ratio (maintained list): unknown there, 1 here",
      "  n [31m no, 1 charge, 70 quota there, 7 here (-90 %): model ratio (maintained list): unknown there, 1 here",
    ]);
    assert.equal(agrees, false);
  });

  test("are computed by the settings as they are now, with the completion ratio of the text", async () => {
    const text = "倍率：1.00 × 1.00 × 3.00";
    const { lines } = await compare(
      "one-api",
      [{ model_name: "m", prompt_tokens: 10, completion_tokens: 5, quota: 25, content: text }],
      [RATIOS],
    );
    assert.deepEqual(lines, [
      "  equal 0, equal but for rounding 0, different 1, not comparable 0",
      "  Charged by other ratios than the settings have now: 1",
      "Charges that differ, by model:",
      "  m, 1 charge, 50 quota there, 30 here (-40 %): completion ratio: 3 there, 1 here",
    ]);
  });
});

describe("charges of new-api", () => {
  test("have cached tokens in the prompt, and beside it for Claude", async () => {
    const cached = { cache_tokens: 40, cache_ratio: 0.5 };
    const written = { cache_creation_tokens: 20, cache_creation_ratio: 1.25 };
    const { lines, agrees } = await compare("new-api", [
      // (60 + 40 × 0.5) × 2
      { model_name: "m", prompt_tokens: 100, quota: 160, other: other(cached) },
      // (100 + 40 × 0.5 + 20 × 1.25) × 2
      { model_name: "m", prompt_tokens: 100, quota: 290, other: other({ ...cached, ...written, claude: true }) },
      // (100 + 20 × 1.6 × 1.25) × 2
      {
        model_name: "m",
        prompt_tokens: 100,
        quota: 280,
        other: other({ ...written, cache_creation_tokens_1h: 20, usage_semantic: "anthropic" }),
      },
    ]);
    assert.deepEqual(lines, ["  equal 3, equal but for rounding 0, different 0, not comparable 0"]);
    assert.equal(agrees, true);
  });

  test("have cache writes for an hour at 1.6 times the ratio", () => {
    const written = {
      cache_creation_tokens: 20,
      cache_creation_tokens_1h: 20,
      cache_creation_ratio: 1.25,
      claude: true,
    };
    const row = { model_name: "m", prompt_tokens: "100", completion_tokens: "0", other: other(written) };
    const context = { product: "new-api", prices: readOldPrices([]), group: "default", type: 1 } as const;
    assert.equal(readOldCharge(row, context).computed, 280);
  });

  test("are rounded to the nearest quota there", async () => {
    const options = [{ key: "ModelRatio", value: '{"m":0.1}' }, COMPLETIONS];
    const { lines, agrees } = await compare(
      "new-api",
      [{ model_name: "m", prompt_tokens: 101, quota: 10, other: other({ model_ratio: 0.1 }) }],
      options,
    );
    assert.deepEqual(lines, ["  equal 0, equal but for rounding 1, different 0, not comparable 0"]);
    assert.equal(agrees, true);
  });

  test("differ by request prices, groups, mapped models and whatever the ratios do not explain", async () => {
    const entry = { model_name: "m", prompt_tokens: 100 };
    const { lines } = await compare("new-api", [
      { ...entry, quota: 5_000, other: other({ model_ratio: 0, model_price: 0.01 }) },
      { ...entry, quota: 600, group: "vip", other: other({ group_ratio: 3 }) },
      { ...entry, quota: 200, other: other({ is_model_mapped: true, upstream_model_name: "n" }) },
      { ...entry, quota: 7_000, other: other({}) },
      { ...entry, quota: 8_000, other: other({ tool_surcharges: [{ name: "web_search", count: 1, price: 10 }] }) },
      { ...entry, quota: 200, other: other({ image: false, ws: 0 }) },
    ]);
    assert.deepEqual(lines, [
      "  equal 1, equal but for rounding 0, different 5, not comparable 0",
      "Charges that differ, by model:",
      "  m, 1 charge, 8000 quota there, 200 here (-97 %): fees of tools there, which is not compared",
      "  m, 1 charge, 7000 quota there, 200 here (-97 %): a charge that its ratios do not explain there, which is not compared",
      "  m, 1 charge, 5000 quota there, 200 here (-96 %): $0.01 for a request there, a price by token here",
      "  m, 1 charge, 600 quota there, 200 here (-67 %): group ratio: 3 there, 1 here",
      "  m, 1 charge, 200 quota there, 100 here (-50 %): model ratio (maintained list): 2 there, 1 here; priced as n here, the provider's model",
    ]);
  });
});

test("a balance that differs by one quota is listed", async () => {
  const { lines, agrees } = await report("one-api", {}, -1);
  assert.equal(agrees, false);
  assert.deepEqual(lines.slice(0, 6), [
    "Quota left to users:",
    "  there                            500,000,000,000,000",
    "  here                             499,999,999,999,999  (differs)",
    "",
    "Balances that differ:",
    "  user 1: 500000000000000 left and 0 used there, 499999999999999 left and 0 used here",
  ]);
});

test("prices are compared by the settings, for each model of the channels", async () => {
  const { lines } = await report("one-api", {
    options: [{ key: "ModelRatio", value: '{"m(1)":2,"m":1,"picture":20}' }, COMPLETIONS],
    channels: [{ ...CHANNEL, models: "m,n,alias,picture", model_mapping: '{"alias":"m"}' }],
  });
  const start = lines.indexOf("Prices that differ, by the settings:");
  assert.deepEqual(lines.slice(start + 1), [
    "  m, alias (m): model ratio 2 there, 1 here",
    "  m, n, alias (m): ratio of cached tokens 1 there, 0.5 here",
    "  m, n, alias (m): ratio of cache writes 1 there, 1.25 here",
    "  n: model ratio of the old program there (no setting has it), the maintained list's price here",
  ]);
});
