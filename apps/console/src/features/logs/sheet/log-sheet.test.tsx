import { LOG_TYPE } from "@one-api/contract/constants";
import { ROLE } from "@one-api/contract/accounts/roles";
import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { formatTime } from "../../../lib/format.ts";
import { changeLanguage } from "../../../lib/i18n/i18n.ts";
import { clearUser } from "../../../lib/state/session.ts";
import { setScreenWidth } from "../../../testing/screen-width.ts";
import { CREATED_AT, detail, logIn, logOf, open, resetServed, serve, served } from "../testing/serve-logs.tsx";

beforeEach(() => {
  clearUser();
  resetServed();
});

test("an entry opens with the keyboard and shows its detail; Back closes it", async () => {
  logIn(ROLE.admin);
  serve([logOf({ id: 31, detail })]);
  const { router } = await open();
  const time = await screen.findByRole("button", { name: formatTime(CREATED_AT) });
  time.focus();
  await userEvent.keyboard("{Enter}");
  const sheet = within(await screen.findByRole("dialog"));
  for (const text of [
    "req-0001",
    "gpt-4o-2024",
    "OK",
    "0.46 s",
    "2.02 s",
    "Channel #7",
    "HTTP 429",
    "0.21 s",
    "Channel #9",
    "HTTP 200",
  ]) {
    expect(sheet.getAllByText(text).length).toBeGreaterThan(0);
  }
  await userEvent.click(sheet.getByText("Ratios"));
  expect(sheet.getByText(detail.charge.formula)).toBeTruthy();
  expect(sheet.getByText("Rate limited")).toBeTruthy();
  expect(sheet.getByText(/Try again in 4 s/)).toBeTruthy();
  expect(sheet.getByRole("button", { name: "Copy request ID" })).toBeTruthy();
  router.history.back();
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

test("formula and notes are in the reader's language, made of their parts and not of the server's English", async () => {
  logIn(ROLE.admin);
  const formula_parts = {
    terms: [
      { kind: "input" as const, count: 7, factors: [] },
      { kind: "cached-input" as const, count: 3, factors: ["0.5"] },
      { kind: "second" as const, count: 90, factors: ["200/60"] },
    ],
    quota: 9,
    long_above: 200_000,
    source: "fallback" as const,
  };
  const notes = [{ code: "odd-completion-tokens" as const, reported: 1e9, counted: 12 }];
  const told = { dropped: ["seed", "user"], notes };
  const content = "Model ratio 1.25 × group ratio 1.";
  serve([logOf({ id: 31, content, detail: { ...detail, charge: { ...detail.charge, formula_parts }, told } })]);
  await open("/log?open=31");
  const sheet = within(await screen.findByRole("dialog"));
  expect(sheet.getByText("ceil((7 input + 3 cached input × 0.5 + 90 seconds × 200/60) × 1.25 × 1) = 9")).toBeTruthy();
  expect(sheet.getByText(/prompt over 200,000 tokens/)).toBeTruthy();
  expect(sheet.getByText(/No price is set/)).toBeTruthy();
  expect(sheet.getByText(/not supported by the provider: seed, user/)).toBeTruthy();
  expect(sheet.getByText(/reported 1,000,000,000 completion tokens, which is implausible: we counted 12/)).toBeTruthy();
  expect(sheet.queryByText(content)).toBeNull();
  await changeLanguage("zh-CN");
  try {
    expect(await sheet.findByText("ceil((7 输入 + 3 缓存输入 × 0.5 + 90 秒 × 200/60) × 1.25 × 1) = 9")).toBeTruthy();
    expect(sheet.getByText("上游报告了 1,000,000,000 个补全 tokens，这不可能：按 12 个计算。")).toBeTruthy();
  } finally {
    await changeLanguage("en");
  }
});

test("an entry has the cost at the provider where the server tells it", async () => {
  logIn(ROLE.admin);
  serve([logOf({ id: 31, type: LOG_TYPE.test, quota: 0, cost: 4 }), logOf({ id: 30 })]);
  await open("/log?open=31");
  const sheet = within(await screen.findByRole("dialog"));
  const cost = sheet.getByText("Cost at the provider").parentElement;
  expect(cost?.textContent).toBe("Cost at the provider4 quota$0.000008");
  await userEvent.keyboard("j");
  await waitFor(() => expect(sheet.queryByText("Cost at the provider")).toBeNull());
});

test("an entry of no request tells what happened in the reader's language, and quotes what others said of it", async () => {
  logIn(ROLE.admin);
  const entry = {
    type: LOG_TYPE.system,
    model_name: "",
    token_name: "",
    username: "",
    quota: 0,
    content: "In English.",
  };
  const disabled = { id: 3, name: "main", reason: "key-refused" as const, said: "Incorrect API key" };
  const tested = { id: 3, name: "main", said: "The provider did not answer." };
  serve([
    logOf({ ...entry, id: 31, event: { code: "channel-disabled", values: disabled } }),
    logOf({ ...entry, id: 30, event: { code: "quota-set", values: { from: 500_000, to: 1_000_000 } } }),
    logOf({ ...entry, id: 29, type: LOG_TYPE.test, event: { code: "channel-test-failed", values: tested } }),
    logOf({ ...entry, id: 28, content: "Told in an imported entry." }),
  ]);
  await changeLanguage("zh-CN");
  try {
    await open("/log?open=31");
    const sheet = within(await screen.findByRole("dialog"));
    expect(sheet.getByText("渠道 main（3）已被禁用。提供商拒绝了密钥。")).toBeTruthy();
    expect(sheet.getByText("Incorrect API key").tagName).toBe("BLOCKQUOTE");
    for (const text of [
      "管理员将额度从 $1.00 改为 $2.00。",
      "渠道 main（3）未通过测试。",
      "Told in an imported entry.",
    ]) {
      await userEvent.keyboard("j");
      expect(await sheet.findByText(text)).toBeTruthy();
    }
    expect(screen.queryByText("In English.")).toBeNull();
  } finally {
    await changeLanguage("en");
  }
});

test.each([
  {
    name: "a refusal with its numbers",
    told: {
      refusal: "rate_limit_exceeded",
      refusal_values: { limited: "requests" as const, limit: 1_200 },
      refusal_count: 29,
    },
    english: "Limit reached: 1,200 requests per minute. 29 similar rejections within ten seconds.",
    chinese: "令牌已达到每分钟 1,200 次请求的上限。十秒内有 29 次同类拒绝。",
    quotes: false,
  },
  {
    name: "a refusal of a wrong field",
    told: { refusal: "invalid_value", refusal_count: 1 },
    english: "A field had an invalid value.",
    chinese: "请求中某个字段的值不正确。",
    quotes: true,
  },
  {
    name: "a refusal that says all there is to say",
    told: { refusal: "model_unavailable", refusal_count: 1 },
    english: "All channels that serve the model gpt-4o to the client's group were disabled.",
    chinese: "向客户端的分组提供模型 gpt-4o 的渠道当时均已停用。",
    quotes: false,
  },
])(
  "[TEXT-55] $name is told in the reader's language, with the gateway's words where they say more",
  async (refusal) => {
    logIn(ROLE.admin);
    const content = "What the gateway said.";
    const refused = { end: "refused", first_byte_ms: 0, upstream_model: "", attempts: [], ...refusal.told };
    serve([logOf({ id: 31, content, result: "refused", quota: 0, detail: refused })]);
    await open("/log?open=31");
    const sheet = within(await screen.findByRole("dialog"));
    expect(await sheet.findByText(refusal.english)).toBeTruthy();
    expect(sheet.queryByText(content) === null).toBe(!refusal.quotes);
    await changeLanguage("zh-CN");
    try {
      expect(await sheet.findByText(refusal.chinese)).toBeTruthy();
      expect(sheet.queryByText(content) === null).toBe(!refusal.quotes);
    } finally {
      await changeLanguage("en");
    }
  },
);

test("a refusal that the console does not know is told as the gateway told it", async () => {
  logIn(ROLE.admin);
  const refused = { end: "refused", first_byte_ms: 0, upstream_model: "", attempts: [], refusal: "from_tomorrow" };
  serve([logOf({ id: 31, content: "What nobody knows yet.", result: "refused", detail: refused })]);
  await open("/log?open=31");
  expect(await within(await screen.findByRole("dialog")).findByText("What nobody knows yet.")).toBeTruthy();
});

test("what is charged by the piece is told in pieces: tokens, their ratio and their speed have no part in it", async () => {
  logIn(ROLE.admin);
  const charge = { ...detail.charge, units: { unit: "image" as const, count: 3 }, rule: "usage" as const };
  serve([logOf({ id: 31, is_stream: true, completion_tokens: 7_072, detail: { ...detail, charge } })]);
  await open("/log?open=31");
  const sheet = within(await screen.findByRole("dialog"));
  await userEvent.click(await sheet.findByText("Ratios"));
  expect((await sheet.findByText("Images")).nextElementSibling?.textContent).toBe("3");
  for (const text of ["Completion tokens", "Completion ratio", "Speed", "Tokens as reported by the provider."])
    expect(sheet.queryByText(text)).toBeNull();
  expect(sheet.getByText("Model ratio")).toBeTruthy();
});

test("embeddings are told by what went in, and are not offered to the playground", async () => {
  logIn(ROLE.admin);
  const vectors = { ...detail, input_only: "embeddings" as const };
  const log = logOf({ id: 31, completion_tokens: 0, detail: vectors });
  serve([log]);
  served.stories = [{ ...log, channel_names: [], has_bodies: true }];
  await open("/log?open=31");
  const sheet = within(await screen.findByRole("dialog"));
  await userEvent.click(await sheet.findByText("Ratios"));
  expect((await sheet.findByText("Prompt tokens")).nextElementSibling?.textContent).toBe("100");
  for (const text of ["Completion tokens", "Completion ratio"]) expect(sheet.queryByText(text)).toBeNull();
  expect(await sheet.findByRole("button", { name: "Show" })).toBeTruthy();
  expect(sheet.queryByRole("link", { name: "Replay in playground" })).toBeNull();
});

test("an entry of a batch tells its lines, those that failed, and what a batch costs", async () => {
  logIn(ROLE.admin);
  const batch = { lines: 1_200, failed: 3, factor: 0.5 };
  serve([logOf({ id: 31, detail: { ...detail, end: "expired", batch } })]);
  await open("/log?open=31");
  const sheet = within(await screen.findByRole("dialog"));
  const valueOf = async (label: string) => (await sheet.findByText(label)).nextElementSibling?.textContent;
  expect(await valueOf("Batch lines")).toBe("1,203");
  expect(await valueOf("failed")).toBe("3");
  expect(await valueOf("Batch price")).toBe("× 0.5");
  expect(sheet.getByText("Batch")).toBeTruthy();
  expect(sheet.getByText("Expired")).toBeTruthy();
});

test.each([
  ["unbooked", "gateway-failed", "Not charged"],
  ["account_disabled", "cut", "The token's account is disabled."],
] as const)("an entry that ended as %s says so in words", async (end, result, words) => {
  logIn(ROLE.admin);
  serve([logOf({ id: 31, result, detail: { ...detail, end } })]);
  await open("/log?open=31");
  const sheet = within(await screen.findByRole("dialog"));
  expect(await sheet.findByText(words)).toBeTruthy();
});

test("an entry that is on no page opens by its id, says why its channel was chosen and which were not, and leads to them", async () => {
  logIn(ROLE.admin);
  serve([logOf({ id: 2 })]);
  const passed = [
    { channel: 3, reason: "rate-limited" as const, amount: 40 },
    { channel: 5, reason: "other-group" as const, amount: 0 },
  ];
  const choice = { by: "share" as const, share: 25, passed, more: 4 };
  const attempts = [{ channel: 9, status: 200, failure: "", duration_ms: 250, choice }];
  const names = [
    { id: 3, name: "Sleepy" },
    { id: 9, name: "Chosen" },
  ];
  const log = logOf({ id: 77, request_id: "req-0077", detail: { ...detail, group: "vip", attempts } });
  served.stories = [{ ...log, channel_names: names, has_bodies: false }];
  await open("/log?open=77");
  const sheet = within(await screen.findByRole("dialog"));
  expect(await sheet.findByText("req-0077")).toBeTruthy();
  expect(sheet.getByText("Chosen at random by weight. Its share: 25 %.")).toBeTruthy();
  const texts = sheet.getAllByRole("listitem", { hidden: true }).map((item) => item.textContent);
  expect(texts.slice(1)).toEqual([
    "Sleepy (#3): rate-limited by the provider, 40 s left",
    "Channel #5: serves other groups",
    "and 4 more",
  ]);
  const [link] = sheet.getAllByRole("link", { name: "Chosen (#9)" });
  expect(link?.getAttribute("href")).toBe("/channel/9");
  expect(sheet.getByRole("link", { name: "mia" }).getAttribute("href")).toBe("/user/1");
  expect(sheet.getByRole("link", { name: "main" }).getAttribute("href")).toBe("/token/edit/4");
  expect(sheet.getByText("vip")).toBeTruthy();
});

test("an entry that is not there says so, and one that did not load offers another try", async () => {
  const { unmount } = await open("/log?open=77");
  expect(await within(await screen.findByRole("dialog")).findByText(/does not exist/)).toBeTruthy();
  unmount();
  served.storyStatus = 500;
  await open("/log?open=78");
  const sheet = within(await screen.findByRole("dialog"));
  expect(await sheet.findByText("Could not load this list")).toBeTruthy();
  expect(sheet.queryByText(/does not exist/)).toBeNull();
  served.storyStatus = 200;
  served.stories = [{ ...logOf({ id: 78, request_id: "req-0078" }), channel_names: [], has_bodies: false }];
  await userEvent.click(sheet.getByRole("button", { name: "Try again" }));
  expect(await sheet.findByText("req-0078")).toBeTruthy();
});

test("what a request said is loaded when its reader asks for it", async () => {
  served.stories = [{ ...logOf(), channel_names: [], has_bodies: true }];
  served.bodies = {
    request: '{"model":"gpt-4o"}',
    answer: "cut in the mid",
    request_bytes: 18,
    answer_bytes: 70_000,
    request_is_truncated: false,
    answer_is_truncated: true,
  };
  await open("/log?open=1");
  const sheet = within(await screen.findByRole("dialog"));
  await userEvent.click(await sheet.findByRole("button", { name: "Show" }));
  expect(await sheet.findByText("cut in the mid")).toBeTruthy();
  expect(sheet.getAllByRole("group", { name: "Code" })[0]?.textContent).toBe('{\n  "model": "gpt-4o"\n}');
  expect(sheet.getByText("Response · First part of 70,000 bytes")).toBeTruthy();
  expect(sheet.getByRole("link", { name: "Replay in playground" }).getAttribute("href")).toContain("replay=1");
});

test("what is no chat is not offered to the playground, and a refusal is said once", async () => {
  const units = { unit: "search" as const, count: 1 };
  const log = logOf({ result: "refused", detail: { ...detail, end: "refused", charge: { ...detail.charge, units } } });
  served.stories = [{ ...log, channel_names: [], has_bodies: true }];
  await open("/log?open=1");
  const sheet = within(await screen.findByRole("dialog"));
  expect(await sheet.findByRole("button", { name: "Show" })).toBeTruthy();
  expect(sheet.queryByRole("link", { name: "Replay in playground" })).toBeNull();
  expect(sheet.getByText("Rejected")).toBeTruthy();
  expect(sheet.queryByText("refused")).toBeNull();
});

test("a request is copied as a command with the body that was kept, which only this reads, and never with a key", async () => {
  const user = userEvent.setup();
  const read = vi.spyOn(navigator.clipboard, "writeText");
  served.stories = [{ ...logOf(), channel_names: [], has_bodies: true }];
  const request = '{"model":"gpt-4o","messages":[{"role":"user","content":"What was said"}]}';
  served.bodies = {
    request,
    answer: "",
    request_bytes: 9,
    answer_bytes: 0,
    request_is_truncated: false,
    answer_is_truncated: false,
  };
  await open("/log?open=1");
  const sheet = within(await screen.findByRole("dialog"));
  await sheet.findByRole("button", { name: "Show" });
  await user.click(sheet.getByRole("button", { name: "Copy as cURL" }));
  await waitFor(() => expect(read).toHaveBeenCalled());
  const command = read.mock.calls[0]?.[0] ?? "";
  expect(command).toContain('-H "Authorization: Bearer $ONE_API_KEY"');
  expect(command).toContain("What was said");
  expect(sheet.queryByText(/What was said/)).toBeNull();
  read.mockRestore();
});

test("how a request ended is said once", async () => {
  logIn(ROLE.admin);
  serve([
    logOf({ id: 31, result: "connection", status_code: 502, detail: { ...detail, end: "connection", attempts: [] } }),
  ]);
  await open("/log?open=31");
  const sheet = within(await screen.findByRole("dialog"));
  expect(await sheet.findAllByText("Cannot connect")).toHaveLength(1);
});

test("j and k go through the entries while one is open", async () => {
  logIn(ROLE.user);
  serve([logOf({ id: 2, request_id: "req-0002" }), logOf({ id: 1 })]);
  const { router } = await open("/log?open=2");
  expect(await screen.findByText("req-0002")).toBeTruthy();
  await userEvent.keyboard("j");
  expect(await screen.findByText("req-0001")).toBeTruthy();
  await userEvent.keyboard("k");
  expect(await screen.findByText("req-0002")).toBeTruthy();
  expect(router.state.location.search).toEqual({ open: "2" });
});

test("on a wide screen the sheet stands beside the list, which stays in use and marks the entry; Escape closes it", async () => {
  logIn(ROLE.user);
  serve([logOf({ id: 2, request_id: "req-0002" }), logOf({ id: 1 })]);
  const { router } = await open();
  await userEvent.click((await screen.findAllByRole("cell", { name: "gpt-4o" }))[0] ?? document.body);
  const sheet = await screen.findByRole("dialog", { name: "gpt-4o" });
  expect(sheet.getAttribute("aria-modal")).toBeNull();
  const marked = () => screen.getAllByRole("row").findIndex((row) => row.ariaCurrent === "true");
  await waitFor(() => expect(marked()).toBe(1));
  await userEvent.click(screen.getAllByRole("cell", { name: "gpt-4o" })[1] ?? document.body);
  expect(await within(sheet).findByText("req-0001")).toBeTruthy();
  await waitFor(() => expect(marked()).toBe(2));
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(router.state.location.search).toEqual({});
});

test("on a narrower screen the sheet is over the list", async () => {
  setScreenWidth(1_199);
  logIn(ROLE.user);
  serve([logOf()]);
  await open("/log?open=1");
  expect((await screen.findByRole("dialog")).getAttribute("aria-modal")).toBe("true");
});

test("the playground is opened with the request, or with its model where the request was not stored", async () => {
  logIn(ROLE.user);
  serve([logOf()]);
  await open("/log?open=1");
  const link = await screen.findByRole("link", { name: "Open in playground" });
  expect(link.getAttribute("href")).toBe("/playground?model=gpt-4o");
});

for (const [what, odd] of [
  ["no detail", {}],
  ["null", { detail: null }],
  ["a detail of another shape", { detail: "of another version" }],
] as const) {
  test(`an entry with ${what} is shown with what there is`, async () => {
    logIn(ROLE.user);
    vi.spyOn(console, "error").mockReturnValue();
    serve([{ ...logOf(), ...odd }]);
    await open("/log?open=1");
    const sheet = within(await screen.findByRole("dialog"));
    expect(await sheet.findByText("req-0001")).toBeTruthy();
    expect(sheet.getByText("No further details")).toBeTruthy();
    expect(sheet.queryByText("Attempts")).toBeNull();
  });
}
