import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChannelConnection } from "@one-api/contract/channels/channel-connection";
import { CHANNEL_TYPES } from "@one-api/contract/channels/channel-types";
import { providerOf } from "./registry.ts";

const now = new Date("2026-11-21T10:00:00Z");

interface Question {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

const tried = new Set<number>();

async function askBalance(type: number, answers: readonly unknown[], rest: Partial<ChannelConnection> = {}) {
  tried.add(type);
  const provider = providerOf(type);
  assert.ok(provider?.balance !== undefined);
  const questions: Question[] = [];
  const connection = { baseUrl: "", key: "secret-key", organization: "", other: "", config: {}, ...rest };
  const balance = await provider.balance(
    connection,
    async (url, headers) => {
      const answer = answers[questions.length];
      questions.push({ url, headers });
      if (answer instanceof Error) throw answer;
      return answer;
    },
    now,
  );
  return { balance, questions };
}

const bearer = { authorization: "Bearer secret-key" };

const cases: readonly (readonly [type: number, answer: unknown, balance: number, url: string, headers: object])[] = [
  [4, { total_available: 12.5 }, 12.5, "https://api.closeai-proxy.xyz/dashboard/billing/credit_grants", bearer],
  [5, { data: { credit: "123456" } }, 123_456, "https://api.openai-sb.com/sb-api/user/status?api_key=secret-key", {}],
  [
    10,
    { success: true, data: { totalPoints: 77 } },
    77,
    "https://aiproxy.io/api/report/getUserOverview",
    { "api-key": "secret-key" },
  ],
  [12, { total_remaining: 3 }, 3, "https://api.api2gpt.com/dashboard/billing/credit_grants", bearer],
  [13, { total_available: 9 }, 9, "https://api.aigc2d.com/dashboard/billing/credit_grants", bearer],
  [20, { data: { total_credits: 10, total_usage: 2.5 } }, 7.5, "https://openrouter.ai/api/v1/credits", bearer],
  [
    25,
    { code: 0, data: { available_balance: 49.58894, voucher_balance: 46.58893, cash_balance: 3.00001 }, status: true },
    49.58894,
    "https://api.moonshot.cn/v1/users/me/balance",
    bearer,
  ],
  [
    41,
    { availableBalance: "1000000", cashBalance: "800000", creditLimit: "200000" },
    100,
    "https://api.novita.ai/openapi/v1/billing/balance/detail",
    bearer,
  ],
  [
    36,
    {
      balance_infos: [
        { currency: "USD", total_balance: "1" },
        { currency: "CNY", total_balance: "110.00" },
      ],
    },
    110,
    "https://api.deepseek.com/user/balance",
    bearer,
  ],
  [44, { code: 20_000, data: { totalBalance: "88.88" } }, 88.88, "https://api.siliconflow.cn/v1/user/info", bearer],
];

for (const [type, answer, balance, url, headers] of cases) {
  test(`type ${type} returns its balance`, async () => {
    const result = await askBalance(type, [answer]);
    assert.equal(result.balance, balance);
    assert.deepEqual(result.questions, [{ url, headers }]);
  });
}

test("OpenAI's balance is the hard limit less usage of this month, or of a hundred days without a payment method", async () => {
  const paying = await askBalance(1, [{ hard_limit_usd: 120, has_payment_method: true }, { total_usage: 2_050 }]);
  assert.equal(paying.balance, 99.5);
  assert.equal(paying.questions[0]?.url, "https://api.openai.com/v1/dashboard/billing/subscription");
  assert.equal(
    paying.questions[1]?.url,
    "https://api.openai.com/v1/dashboard/billing/usage?start_date=2026-11-01&end_date=2026-11-21",
  );
  assert.deepEqual(paying.questions[1]?.headers, bearer);

  const trial = await askBalance(8, [{ hard_limit_usd: 5, has_payment_method: false }, { total_usage: 100 }], {
    baseUrl: "https://h.example/v1",
  });
  assert.equal(trial.balance, 4);
  assert.equal(
    trial.questions[1]?.url,
    "https://h.example/v1/dashboard/billing/usage?start_date=2026-08-13&end_date=2026-11-21",
  );
});

test("a key is sent to the channel's own address only", async () => {
  const proxied = await askBalance(36, [{ balance_infos: [{ currency: "CNY", total_balance: "1" }] }], {
    baseUrl: "https://proxy.example/v1",
  });
  assert.equal(proxied.questions[0]?.url, "https://proxy.example/user/balance");
  await assert.rejects(askBalance(10, [{}], { baseUrl: "https://proxy.example" }), /AI Proxy's own address/);
  for (const baseUrl of ["https://proxy.example/novita/v3/openai", "https://proxy.example/novita/openai/"]) {
    const { questions } = await askBalance(41, [{ availableBalance: "1" }], { baseUrl });
    assert.equal(questions[0]?.url, "https://proxy.example/novita/openapi/v1/billing/balance/detail");
  }
});

test("dollars are not read as yuan where Moonshot names no currency", async () => {
  const answer = { data: { available_balance: 5 } };
  await assert.rejects(askBalance(25, [answer], { baseUrl: "https://api.moonshot.ai/v1" }), /counts in dollars/);
});

test("the key in OpenAI-SB's address is not in its errors", async () => {
  const failing = new Error("GET https://api.openai-sb.com/sb-api/user/status?api_key=secret-key answered 500");
  await assert.rejects(
    askBalance(5, [failing]),
    (error) => error instanceof Error && !`${error.message} ${String(error.cause)}`.includes("secret-key"),
  );
});

test("an answer without the number is an error, not a balance of zero", async () => {
  await assert.rejects(askBalance(20, [{ data: { total_credits: 10 } }]), /data\.total_usage/);
  await assert.rejects(askBalance(36, [{ balance_infos: [{ currency: "USD", total_balance: "1" }] }]), /CNY/);
  await assert.rejects(askBalance(44, [{ code: 30_000 }]), /check the channel's key/);
  await assert.rejects(askBalance(10, [{ success: false }]), /check the channel's key/);
});

test("every provider with a balance is tested here, including each with a unit in the contract", () => {
  const telling = CHANNEL_TYPES.filter(({ type }) => providerOf(type)?.balance !== undefined).map(({ type }) => type);
  assert.deepEqual(
    [...tried].toSorted((a, b) => a - b),
    telling,
  );
  for (const { type, balance } of CHANNEL_TYPES) assert.ok(balance === undefined || telling.includes(type), `${type}`);
});
