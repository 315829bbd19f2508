import type { AuditEntry } from "@one-api/contract/audit";
import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { formatTime } from "../../lib/format.ts";
import { changeLanguage } from "../../lib/i18n/i18n.ts";
import { startIdleLoading } from "../../lib/loading/when-idle.ts";
import { clearUser, storeUser } from "../../lib/state/session.ts";
import { renderPage } from "../../testing/render-page.tsx";
import { stubCalls } from "../../testing/stub-calls.ts";
import AuditPage from "./audit-page.tsx";

const LIST = "GET /api/audit/";
const OBJECTS = "GET /api/audit/objects";
const SEAL = "GET /api/audit/seal";
const stub = (answers: Record<string, unknown>) =>
  stubCalls({
    [OBJECTS]: [{ object: "token:12", name: "Laptop" }],
    [SEAL]: { sealed_up_to: 0, unsealed: 0, checked_at: 0, problems: [] },
    ...answers,
  });
const ENTRY = "GET /api/audit/5";
const render = (address = "/audit") =>
  renderPage(<AuditPage />, {
    address,
    path: "/audit",
    texts: ["audit", "budgets", "channel-reasons", "channels", "logs", "redemptions", "tokens", "users"],
  });

function sampleEntry(changes: Partial<AuditEntry> = {}): AuditEntry {
  return {
    id: 5,
    created_at: 1_700_000_000,
    actor_id: 2,
    actor_name: "grace",
    actor_role: 10,
    via: "session",
    via_name: "",
    address: "192.0.2.7",
    request_id: "r-1",
    action: "user.update",
    object: "user:12",
    object_name: "mia",
    object_exists: true,
    details: [{ field: "quota", from: "500000", to: "10500000" }],
    detail_count: 1,
    ...changes,
  };
}

beforeEach(() => startIdleLoading(() => false));
beforeEach(() => storeUser({ id: 1, username: "root", display_name: "", role: 100, status: 1 }));
afterEach(clearUser);

test("rows say who did what to what, from where; others than people are named as what they are", async () => {
  stub({
    [LIST]: [
      sampleEntry(),
      sampleEntry({ id: 4, actor_id: 0, actor_name: "", actor_role: 0, address: "", action: "channel.restock", object: "channel:3", object_name: "spare", details: [] }),
      sampleEntry({ id: 3, actor_id: 0, actor_name: "", actor_role: 0, action: "session.refuse", object: "user:unknown", object_name: "", details: [] }),
      sampleEntry({ id: 2, action: "robot.dance", details: [] }),
    ],
  }); // prettier-ignore
  await render();
  const row = async (action: string) => {
    const found = (await screen.findByRole("button", { name: action })).closest("tr");
    if (found === null) throw new Error("the entry has no row");
    return within(found);
  };
  const first = await row("User changed");
  for (const text of ["grace", "mia", "User 12", "Quota: \\$1.00 → \\$21.00", "192.0.2.7"])
    expect(first.getByText(new RegExp(text))).toBeTruthy();
  expect((await row("Reserve channel enabled")).getByText("Gateway")).toBeTruthy();
  expect((await row("Failed login")).getByText("Not logged in")).toBeTruthy();
  expect(await row("robot.dance"), "an action of a newer server").toBeTruthy();
});

test("the filters stand in the address and in the call", async () => {
  const sent = stub({ [LIST]: [sampleEntry()] });
  const asked = () => sent.map(({ address }) => address).filter((address) => address.startsWith("/api/audit/?"));
  const { router } = await render("/audit?kind=token");
  await screen.findByText("mia");
  expect(new URL(asked()[0] ?? "", "http://a").searchParams.get("kind")).toBe("token");
  await userEvent.type(screen.getByRole("searchbox"), "grace deleted{Enter}");
  await waitFor(() => expect(router.state.location.search).toMatchObject({ kind: "token", keyword: "grace deleted" }));
  await waitFor(() => expect(asked().at(-1)).toContain("keyword=grace+deleted"));
  const words = new URL(asked().at(-1) ?? "", "http://a").searchParams.getAll("actions");
  expect(words).toHaveLength(1);
  expect(words[0]).toMatch(/^deleted:.*token\.delete/);
});

test("an object is chosen by its name; one of the address is named too", async () => {
  stub({ [LIST]: [sampleEntry()] });
  const { router } = await render("/audit?actor=grace");
  await userEvent.click(screen.getByRole("button", { name: "Remove filter: by grace" }));
  await waitFor(() => expect(router.state.location.search).toEqual({}));
  await userEvent.click(await screen.findByPlaceholderText("Object"));
  await userEvent.click(await screen.findByRole("option", { name: "Laptop · Token 12" }));
  await waitFor(() => expect(router.state.location.search).toEqual({ object: "token:12" }));
  expect(await screen.findByDisplayValue("Laptop · Token 12")).toBeTruthy();
});

test("the export takes the filters and the search along", async () => {
  const saved: URL[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function save(this: HTMLAnchorElement) {
    saved.push(new URL(this.href));
  });
  stub({ [LIST]: [sampleEntry()] });
  await render("/audit?kind=token&keyword=deleted");
  await userEvent.click(await screen.findByRole("button", { name: "Export" }));
  await userEvent.click(await screen.findByRole("menuitem", { name: "JSON Lines" }));
  await waitFor(() => expect(saved).toHaveLength(1));
  const { pathname, searchParams } = saved[0] ?? new URL("http://a");
  expect([pathname, searchParams.get("format")]).toEqual(["/api/audit/export", "jsonl"]);
  expect([searchParams.get("kind"), searchParams.get("keyword")]).toEqual(["token", "deleted"]);
  expect(searchParams.get("actions")).toMatch(/^deleted:/);
});

test("the list links objects to their pages, but not deleted ones and tokens of others", async () => {
  const about = (id: number, object: string, name: string, changes: Partial<AuditEntry> = {}) =>
    sampleEntry({ id, object, object_name: name, ...changes });
  stub({
    [LIST]: [
      about(6, "user:12", "mia"),
      about(5, "channel:3", "Backup"),
      about(4, "channel:4", "Gone", { object_exists: false }),
      about(3, "token:7", "Laptop"),
      about(2, "token:8", "Mine", { actor_id: 1 }),
      about(1, "option:RetryTimes", "", { object_exists: false }),
    ],
  });
  await render();
  for (const [name, href] of [
    ["mia", "/user/12"],
    ["Backup", "/channel/3"],
    ["Mine", "/token/edit/8"],
    ["Retries", "/setting?option=RetryTimes"],
  ] as const)
    expect((await screen.findByRole("link", { name })).getAttribute("href")).toBe(href);
  for (const name of ["Gone", "Laptop"]) expect(screen.getByText(name).closest("a")).toBeNull();
});

test("the sheet shows each field before and after, and leads on to the same object and person", async () => {
  stub({
    [LIST]: [sampleEntry()],
    [ENTRY]: sampleEntry({
      details: [
        { field: "quota", from: "500000", to: "10500000" },
        { field: "group", from: "", to: "vip" },
        { field: "password", to: "changed" },
      ],
    }),
  });
  const { router } = await render();
  await userEvent.click(await screen.findByRole("button", { name: "User changed" }));
  const sheet = within(await screen.findByRole("dialog"));
  expect((await sheet.findByText("10,500,000 ($21.00)")).tagName).toBe("INS");
  expect(sheet.getByText("500,000 ($1.00)").tagName).toBe("DEL");
  expect(sheet.getByText("empty")).toBeTruthy();
  expect(sheet.getByText("Password").closest("div")?.textContent).toContain("changed");
  expect(sheet.getByRole("link", { name: /mia/ }).getAttribute("href")).toBe("/user/12");
  expect(router.state.location.search).toMatchObject({ open: "5" });
  await userEvent.click(sheet.getByRole("button", { name: "All for this object" }));
  await waitFor(() => expect(router.state.location.search).toEqual({ object: "user:12" }));
});

test("an option leads to where it is set", async () => {
  const option = { action: "option.update", object: "option:RetryTimes", object_name: "", details: [] };
  stub({ [LIST]: [sampleEntry(option)], [ENTRY]: sampleEntry(option) });
  await render();
  await userEvent.click(await screen.findByRole("button", { name: "Setting changed" }));
  const link = within(await screen.findByRole("dialog")).getByRole("link", { name: "Retries" });
  expect(link.getAttribute("href")).toBe("/setting?option=RetryTimes");
});

test("moments are times to the reader, in the list and in the sheet; numbers that are none stay", async () => {
  const [before, after] = [1_750_000_000, 1_800_000_000];
  const details = [
    { field: "expired_time", from: "-1", to: String(after) },
    { field: "remaining", from: String(before), to: "1" },
    { field: "old_key_ends_at", to: String(before) },
    { field: "response_time", to: "420" },
  ];
  stub({ [LIST]: [sampleEntry({ details })], [ENTRY]: sampleEntry({ details }) });
  await render();
  expect(await screen.findByText(new RegExp(`Expires: Never → ${formatTime(after)} · remaining: ${before} → 1`))).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "User changed" }));
  const sheet = within(await screen.findByRole("dialog"));
  expect((await sheet.findByText(formatTime(after))).closest("ins")).toBeTruthy();
  expect(sheet.getByText(formatTime(before)).closest("dl > div")?.textContent).toContain("Old key expires");
  expect(sheet.getByText(String(before)).tagName).toBe("DEL");
  expect(sheet.getByText("0.42 s")).toBeTruthy();
}); // prettier-ignore

test("numbers and flags that stand for words are these, in the reader's language, by what the entry is about", async () => {
  const about = (id: number, action: string, object: string, ...details: (readonly [string, string, string])[]) => {
    const told = details.map(([field, from, to]) => ({ field, from, to }));
    return sampleEntry({ id, action, object, object_name: "", details: told, detail_count: told.length });
  };
  stub({
    [LIST]: [
      about(9, "user.promote", "user:12", ["role", "1", "10"], ["status", "1", "2"]),
      about(
        8,
        "token.update",
        "token:3",
        ["status", "1", "4"],
        ["unlimited_quota", "0", "1"],
        ["rpm_limit", "600", "0"],
      ),
      about(7, "channel.update", "channel:4", ["type", "1", "14"], ["status", "1", "3"], ["soft_limit_usd", "0", "20"]),
      about(6, "redemption.set-status", "redemption:2", ["status", "1", "2"], ["quota", "500000", "1000000"]),
      about(5, "option.update", "option:RegisterEnabled", ["value", "true", "false"]),
      about(4, "option.update", "option:QuotaForNewUser", ["value", "0", "500000"]),
      about(3, "channel.copy", "channel:5", ["priority", "3", "5"], ["config.region", "", "eu"], ["robot", "1", "10"]),
    ],
  });
  await changeLanguage("zh-CN");
  try {
    await render();
    for (const text of [
      "角色：普通用户 → 管理员 · 状态：已激活 → 已封禁",
      "状态：已启用 → 已耗尽 · 无限额度：否 → 是 · 每分钟请求数：600 → 不限",
      "类型：OpenAI → Anthropic Claude · 状态：已启用 → 已自动禁用 · 消费限额：不限 → $20.00",
      "状态：未使用 → 已禁用 · 额度：$1.00 → $2.00",
      "开启 → 关闭",
      "$0.00 → $1.00",
      "优先级：3 → 5 · config.region：– → eu · robot：1 → 10",
    ])
      expect(await screen.findByText(text)).toBeTruthy();
    expect(screen.getByRole("button", { name: "复制渠道" })).toBeTruthy();
  } finally {
    await changeLanguage("en");
  }
});

test("an entry that is not there, or not for this reader, says so in the sheet", async () => {
  stub({ [LIST]: [], [ENTRY]: new Error("There is no such entry.") });
  await render("/audit?open=5");
  expect(await within(await screen.findByRole("dialog")).findByText(/There is no such entry/)).toBeTruthy();
});

test("says up to when the trail is sealed and when it was found unchanged", async () => {
  stub({ [LIST]: [], [SEAL]: { sealed_up_to: 1_700_000_000, unsealed: 2, checked_at: 1_700_003_600, problems: [] } });
  await render();
  const line = await screen.findByText(/Sealed up to/);
  expect(line.textContent).toBe(`Sealed up to ${formatTime(1_700_000_000)} · checked ${formatTime(1_700_003_600)}, intact`);
}); // prettier-ignore

test("says what the last check found changed", async () => {
  const problems = [
    { kind: "entry-changed", id: 7 },
    { kind: "entry-removed", id: 8 },
  ];
  stub({ [LIST]: [], [SEAL]: { sealed_up_to: 1_700_000_000, unsealed: 0, checked_at: 1_700_003_600, problems } });
  await render();
  const alert = within(await screen.findByRole("alert"));
  for (const text of ["The audit trail was modified", "Entry 7 was modified.", "Entry 8 was removed."])
    expect(alert.getByText(text)).toBeTruthy();
  expect(screen.queryByText(/Sealed up to/)).toBeNull();
});

test("why the gateway disabled a channel is told in words, made of the entry's parts", async () => {
  const facts = { cause: "spending-limit", used: "3.01", limit: "3", reason: "In English.", name: "main" };
  const details = Object.entries(facts).map(([field, to]) => ({ field, to }));
  const entry = sampleEntry({ actor_id: 0, action: "channel.disable-automatically", details, detail_count: 5 });
  // As lists cut it.
  stub({ [LIST]: [{ ...entry, details: details.slice(0, 3) }], [ENTRY]: entry });
  await changeLanguage("zh-CN");
  try {
    await render();
    expect(await screen.findByText("已消费 $3.01，上限为 $3.00。")).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: "自动禁用渠道" }));
    const sheet = within(await screen.findByRole("dialog"));
    expect(await sheet.findByText("已消费 $3.01，上限为 $3.00。")).toBeTruthy();
    expect(sheet.getByText("main")).toBeTruthy();
    expect(screen.queryByText(/In English|spending-limit/)).toBeNull();
  } finally {
    await changeLanguage("en");
  }
});

test("alerts, their thresholds and receivers are told in words", async () => {
  const facts = (values: Record<string, string>) => Object.entries(values).map(([field, to]) => ({ field, to }));
  const rule = facts({ metric: "spend", direction: "above", threshold: "60000" });
  const receiver = facts({ kind: "webhook", alerts: "channel-disabled, daily-digest" });
  stub({
    [LIST]: [
      sampleEntry({ id: 6, action: "alert-rule.create", object: "alert-rule:1", details: rule, detail_count: 3 }),
      sampleEntry({ id: 5, action: "receiver.create", object: "receiver:1", details: receiver, detail_count: 2 }),
    ],
  });
  await render();
  expect(await screen.findByText("Metric: Spend · Condition: above · Threshold: $0.12")).toBeTruthy();
  expect(await screen.findByText("Type: Webhook · Alerts: Channel disabled, Daily digest")).toBeTruthy();
});
