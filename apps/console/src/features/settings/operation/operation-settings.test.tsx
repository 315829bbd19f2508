import { formatRatios } from "@one-api/contract/prices/ratios";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { storeUser } from "../../../lib/state/session.ts";
import { renderPage } from "../../../testing/render-page.tsx";
import { stubCalls } from "../../../testing/stub-calls.ts";
import { sampleUser } from "../../users/testing/sample-user.ts";
import { SETTINGS_MAP } from "../navigation/settings-map.ts";
import OperationSettings from "./operation-settings.tsx";

const options = Object.entries({
  RetryTimes: "3",
  QuotaPerUnit: "500000",
  PoolMode: "random",
  TopUpLink: "",
  LogConsumeEnabled: "true",
  RootOnlySettings: "false",
  QuotaForNewUser: "0",
  ModelRatio: "{}",
  CompletionRatio: "{}",
  GroupRatio: '{"default":1,"vip":0.5}',
}).map(([key, value]) => ({ key, value }));

beforeEach(() => storeUser(sampleUser({ role: 100 })));

async function open(more: Record<string, unknown> = {}) {
  const sent = stubCalls({
    "GET /api/option/": options,
    "GET /api/option/secrets": [],
    "GET /api/log/clearing": { entries: 12, cleared: null },
    "GET /api/pricing/list": { version: "", fetched_at: 0, models: 1_200, is_older_than_program: false },
    ...more,
  });
  const sections = SETTINGS_MAP.operation.map(({ id }) => <OperationSettings key={id} section={id} />);
  await renderPage(sections, { texts: ["settings"] });
  await screen.findByRole("region", { name: "General" });
  return () => sent.filter(({ method }) => method !== "GET").map(({ method, address, body }) => body ?? `${method} ${address}`); // prettier-ignore
}

const section = (name: string) => within(screen.getByRole("region", { name }));
const save = (name: string) => userEvent.click(section(name).getByRole("button", { name: `Save: ${name}` }));

test("[OPER-02] [OPER-03] [OPER-04] [OPER-05] [OPER-06] [OPER-07] [OPER-08] every section has a button that saves what changed, and nothing else", async () => {
  const saved = await open();
  for (const name of ["General", "Channel", "Log", "Monitoring", "Quota", "Ratios"]) await save(name);
  expect(saved()).toEqual([]);
  const retries = section("General").getByRole("textbox", { name: "Retries" });
  await userEvent.clear(retries);
  await userEvent.type(retries, "5");
  await userEvent.type(section("General").getByRole("textbox", { name: "Top-up link" }), "https://shop.example");
  await save("General");
  await waitFor(() =>
    expect(saved()).toEqual([
      { key: "TopUpLink", value: "https://shop.example" },
      { key: "RetryTimes", value: "5" },
    ]),
  );
});

test("[OPER-10] [OPER-24] [OPER-32] a switch saves at once, and one that needs Redis says so", async () => {
  const saved = await open();
  await userEvent.click(section("Log").getByRole("switch", { name: "Log requests" }));
  await waitFor(() => expect(saved()).toEqual([{ key: "LogConsumeEnabled", value: "false" }]));
  const redis = section("Channel").getByRole("switch", { name: "Cache channels in Redis" });
  expect(redis.hasAttribute("disabled")).toBe(false);
  expect(section("Channel").getByText(/Requires REDIS_URL\.$/)).toBeDefined();
});

const switches: readonly (readonly [lines: string, section: string, key: string, label: string])[] = [
  ["[OPER-15]", "General", "DisplayInCurrencyEnabled", "Show amounts in dollars"],
  ["[OPER-16]", "General", "DisplayTokenStatEnabled", "Billing API reports the token's balance"],
  ["[OPER-17]", "General", "ApproximateTokenEnabled", "Count tokens approximately"],
  ["[OPER-21]", "Channel", "AutoAddChannelEnabled", "Enable reserve channels automatically"],
  ["[OPER-37]", "Monitoring", "AutomaticDisableChannelEnabled", "Disable failing channels automatically"],
  ["[OPER-38]", "Monitoring", "AutomaticEnableChannelEnabled", "Enable recovered channels automatically"],
];

const linesOf = (rows: readonly (readonly [lines: string, ...unknown[]])[]) => rows.map(([lines]) => lines).join(" ");

test(`${linesOf(switches)} every switch of the tab saves itself, and nothing else`, async () => {
  const saved = await open({ "GET /api/option/": [] });
  for (const [, name, , label] of switches) {
    const before = saved().length;
    await waitFor(() => expect(section(name).getByRole("switch", { name: label })).toHaveProperty("disabled", false));
    fireEvent.click(section(name).getByRole("switch", { name: label }));
    await waitFor(() => expect(saved()).toHaveLength(before + 1));
  }
  expect(saved()).toEqual(switches.map(([, , key]) => ({ key, value: "true" })));
});

const fields: readonly (readonly [
  lines: string,
  section: string,
  key: string,
  label: string,
  /** Quotas in dollars. */
  typed: string,
  saved: string,
])[] = [
  ["[OPER-11]", "General", "TopUpLink", "Top-up link", "https://shop.example", "https://shop.example"],
  ["[OPER-12]", "General", "ChatLink", "Chat link", "https://chat.example", "https://chat.example"],
  ["[OPER-13]", "General", "QuotaPerUnit", "Quota per dollar", "0.01", "0.01"],
  ["[OPER-14]", "General", "RetryTimes", "Retries", "-2", "2"],
  ["[OPER-20]", "Channel", "QuotaForAddChannel", "Restock threshold", "-3", "3"],
  ["[OPER-35] [OPER-43]", "Monitoring", "ChannelDisableThreshold", "Response time limit (seconds)", "-4", "4"],
  ["[OPER-36] [OPER-43]", "Monitoring", "QuotaRemindThreshold", "Low-balance reminder below", "-0.5", "250000"],
  ["[OPER-39] [OPER-43]", "Quota", "QuotaForNewUser", "Quota for new users", "-0.6", "300000"],
  ["[OPER-40] [OPER-43]", "Quota", "PreConsumedQuota", "Minimum quota reserved per request", "-0.7", "350000"],
  ["[OPER-41] [OPER-43]", "Quota", "QuotaForInviter", "Reward for inviting", "-0.8", "400000"],
  ["[OPER-42] [OPER-43]", "Quota", "QuotaForInvitee", "Reward for using an invite code", "-0.9", "450000"],
];

test(`${linesOf(fields)} the fields are saved by their section's button, and no number is below nothing`, async () => {
  const saved = await open({ "GET /api/option/": [] });
  for (const [, name, , label, typed] of fields)
    await userEvent.type(section(name).getByRole("textbox", { name: label }), typed);
  for (const name of new Set(fields.map(([, of]) => of))) {
    const expected = fields.filter(([, of]) => of === name).map(([, , key, , , value]) => ({ key, value }));
    const before = saved().length;
    await save(name);
    await waitFor(() => expect(saved().slice(before)).toEqual(expected));
  }
});

test("[OPER-13] the quota of a dollar goes in steps of a hundredth", async () => {
  await open();
  const field = section("General").getByRole("textbox", { name: "Quota per dollar" });
  await userEvent.type(field, "{ArrowUp}");
  expect(field).toHaveProperty("value", "500000.01");
});

test("[OPER-13] a quota of a dollar that makes no sense is refused beside its field, and nothing is saved in its place", async () => {
  const saved = await open();
  const field = section("General").getByRole("textbox", { name: "Quota per dollar" });
  for (const [typed, refusal] of [
    ["0", "Enter a number from 0.01 to 1,000,000,000."],
    ["2000000000", "Enter a number from 0.01 to 1,000,000,000."],
    ["500000.005", "Use at most 2 decimal places."],
  ] as const) {
    await userEvent.clear(field);
    await userEvent.type(field, `${typed}{Enter}`);
    expect(await section("General").findByText(refusal)).toBeDefined();
    expect(field.getAttribute("aria-invalid")).toBe("true");
    expect(field).toHaveProperty("value", typed);
  }
  await userEvent.type(field, "{Backspace}");
  expect(field.getAttribute("aria-invalid")).not.toBe("true");
  expect(saved()).toEqual([]);
});

test("[OPER-13] another quota of a dollar is saved only after a question that shows what balances become", async () => {
  const saved = await open();
  const field = section("General").getByRole("textbox", { name: "Quota per dollar" });
  await userEvent.clear(field);
  await userEvent.type(field, "1000000{Enter}");
  const dialog = within(await screen.findByRole("dialog", { name: "Change the value of a dollar?" }));
  expect(dialog.getByText(/1,000,000 quota instead of 500,000/)).toBeDefined();
  expect(dialog.getByText(/5,000,000 quota is \$10\.00 now and will be \$5\.00/)).toBeDefined();
  await userEvent.click(dialog.getByRole("button", { name: "Cancel" }));
  expect(saved()).toEqual([]);
  await userEvent.type(field, "{Enter}");
  await userEvent.click(await screen.findByRole("button", { name: "Change rate" }));
  await waitFor(() => expect(saved()).toEqual([{ key: "QuotaPerUnit", value: "1000000" }]));
});

test("[OPER-18] channels are chosen at random or in turn", async () => {
  const saved = await open();
  const choice = section("Channel").getByRole("combobox", { name: "Channel selection" });
  expect(choice).toHaveProperty("value", "Random, by weight");
  await userEvent.click(choice);
  await userEvent.click(await screen.findByRole("option", { name: "In rotation, best first" }));
  await save("Channel");
  await waitFor(() => expect(saved()).toEqual([{ key: "PoolMode", value: "polling" }]));
});

test("limits of groups are edited in a table, with the JSON as a second view, and saved like any field", async () => {
  const set = { key: "GroupLimits", value: '{"default":{"rpm_limit":60}}' };
  const saved = await open({ "GET /api/option/": [...options, set], "GET /api/group/": ["default", "vip"] });
  const limits = section("Limits");
  await userEvent.type(await limits.findByRole("textbox", { name: "concurrent of default" }), "4");
  await userEvent.type(limits.getByRole("textbox", { name: "tokens / day of default" }), "200");
  await userEvent.click(limits.getByRole("button", { name: "Add group limit" }));
  await userEvent.type(limits.getByRole("combobox", { name: "Group" }), "vip");
  await userEvent.type(limits.getByRole("textbox", { name: "Model" }), "gpt-5{Enter}");
  await userEvent.type(limits.getByRole("textbox", { name: "requests / min of vip, gpt-5" }), "2");
  await userEvent.click(limits.getByRole("button", { name: "JSON" }));
  const json = limits.getByRole<HTMLTextAreaElement>("textbox", { name: "Group limits" });
  const expected = {
    default: { rpm_limit: 60, concurrent_limit: 4, tokens_day_limit: 200 },
    vip: { models: { "gpt-5": { rpm_limit: 2 } } },
  };
  expect(JSON.parse(json.value)).toEqual(expected);
  await save("Limits");
  await waitFor(() => expect(saved()).toEqual([{ key: "GroupLimits", value: JSON.stringify(expected, undefined, 2) }]));
});

test("a section counts what is unsaved, and discards it with one press", async () => {
  const saved = await open();
  const general = section("General");
  expect(general.queryByRole("button", { name: "Discard changes: General" })).toBeNull();
  const retries = general.getByRole("textbox", { name: "Retries" });
  await userEvent.clear(retries);
  await userEvent.type(retries, "5");
  expect(general.getByText("1 unsaved change")).toBeDefined();
  await userEvent.type(general.getByRole("textbox", { name: "Top-up link" }), "x");
  expect(general.getByText("2 unsaved changes")).toBeDefined();
  await userEvent.click(general.getByRole("button", { name: "Discard changes: General" }));
  expect(retries).toHaveProperty("value", "3");
  expect(general.queryByText(/unsaved/)).toBeNull();
  expect(document.activeElement).toBe(general.getByRole("button", { name: "Save: General" }));
  expect(saved()).toEqual([]);
});

test("a refusal stands in its section, and what was typed stays", async () => {
  await open({ "PUT /api/option/": new Error("RetryTimes must be a whole number from 0 to 10.") });
  const retries = section("General").getByRole("textbox", { name: "Retries" });
  await userEvent.clear(retries);
  await userEvent.type(retries, "9");
  await save("General");
  expect(await section("General").findByText(/must be a whole number/)).toBeDefined();
  expect(section("General").getByDisplayValue("9")).toBeDefined();
});

test("[ROLE-19] only root sees the switch that narrows settings to root", async () => {
  storeUser(sampleUser({ role: 10 }));
  await open();
  expect(screen.queryByRole("switch", { name: /Only root/ })).toBeNull();
});

test("[OPER-33] [OPER-34] [TEXT-46] the log is cleared from before 30 days ago, after a question that says how many", async () => {
  const openedAt = Date.now();
  const look = { entries: 12, cleared: null };
  const saved = await open({ "GET /api/log/clearing": look, "POST /api/log/clearing": { entries: 12 } });
  const log = section("Log");
  expect(await log.findByText("12 entries are older.")).toBeDefined();
  await userEvent.click(log.getByRole("button", { name: "Clear log" }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.getByText(/^12 entries from before/)).toBeDefined();
  await userEvent.click(dialog.getByRole("button", { name: "Clear log" }));
  await waitFor(() => expect(saved()).toHaveLength(1));
  look.entries = 5;
  expect(await log.findByText("7 of 12 cleared", undefined, { timeout: 5_000 })).toBeDefined();
  look.entries = 0;
  expect(await screen.findByText("Logs cleaned: 12 entries", undefined, { timeout: 5_000 })).toBeDefined();
  const target = Number(/"target_timestamp":(\d+)/.exec(JSON.stringify(saved()))?.[1]);
  const ageDays = (time: number) => (time / 1_000 - target) / 86_400;
  expect(Math.floor(ageDays(Date.now()))).toBe(30);
  expect(ageDays(openedAt)).toBeLessThan(30.001);
});

test("the time before which the log is cleared is written as everywhere; a slip is told, and nothing can be cleared", async () => {
  await open();
  const log = section("Log");
  const field = log.getByLabelText<HTMLInputElement>("Delete entries older than");
  expect(field.value).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  await userEvent.clear(field);
  await userEvent.type(field, "yesterday");
  await userEvent.tab();
  expect(log.getByText("Use YYYY-MM-DD HH:MM:SS.")).toBeDefined();
  expect(log.getByRole("button", { name: "Clear log" })).toHaveProperty("disabled", true);
});

test("[TEXT-26] a clearing that fails says so and why", async () => {
  await open({ "POST /api/log/clearing": new Error("the disk is full") });
  const log = section("Log");
  await log.findByText("12 entries are older.");
  await userEvent.click(log.getByRole("button", { name: "Clear log" }));
  await userEvent.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Clear log" }));
  expect((await screen.findAllByText("log cleanup failed: the disk is full")).length).toBeGreaterThan(0);
});

test("[OPER-51] [TEXT-45] the models of channels are updated", async () => {
  const saved = await open({
    "POST /api/channel/update_abilities": { channels: 3, listed: 2, failed: 1, unlisted: [] },
  });
  await userEvent.click(section("Channel").getByRole("button", { name: "Update models" }));
  expect(await screen.findByText("Channel models updated")).toBeDefined();
  expect(saved()).toEqual(["POST /api/channel/update_abilities"]);
});

test("new prices are shown model by model before they count, and taken over with one press", async () => {
  storeUser(sampleUser({ role: 100 }));
  const change = { type: 1, served: true, has_own_ratio: false, kind: "cheaper", due_at: null };
  const saved = await open({
    "POST /api/pricing/list/find": {
      version: "abc",
      fetched_at: 1_790_000_000,
      models: 1_300,
      changes: [
        { ...change, model: "gpt-4o", before: { input: 2.5, output: 10 }, after: { input: 2, output: 10 } },
        { ...change, model: "gpt-new", before: null, after: { input: 1, output: 3 }, has_own_ratio: true },
        { ...change, model: "old", served: false, kind: "odd", before: { input: 1, output: 1 }, after: null },
      ],
    },
    "POST /api/pricing/list/use": null,
  });
  const prices = section("Price list");
  await prices.findByText(/1,200 models/);
  await userEvent.click(prices.getByRole("button", { name: "Check for new prices" }));
  const dialog = within(await screen.findByRole("dialog", { name: "3 prices change" }));
  const served = within(dialog.getByRole("region", { name: "Models of your channels" })).getAllByRole("listitem");
  expect(served.map(({ textContent }) => textContent)).toEqual([
    "gpt-4oInput$2.50$2.00",
    "gpt-newnewInput–$1.00Output–$3.00You set a ratio for it, so the charge does not change.",
  ]);
  await userEvent.click(dialog.getByRole("button", { name: "Apply prices" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(saved()).toEqual(["POST /api/pricing/list/find", { version: "abc" }]);
});

test("prices that wait are shown with the time at which they apply, long prompts and units included", async () => {
  storeUser(sampleUser({ role: 100 }));
  const change = { type: 1, served: true, has_own_ratio: false, kind: "dearer", due_at: 1_790_000_000 };
  const step = (input: number) => ({ steps: [{ above: 200_000, input, output: 12 }] });
  const saved = await open({
    "GET /api/pricing/list/waiting": {
      version: "abc",
      fetched_at: 1_790_000_000,
      models: 1_300,
      changes: [
        {
          ...change,
          model: "long",
          before: { input: 2, output: 8, ...step(4) },
          after: { input: 2, output: 8, ...step(5) },
        },
        {
          ...change,
          model: "free",
          kind: "odd",
          due_at: null,
          before: { per_request: 0.02 },
          after: { per_request: 0 },
        },
      ],
    },
    "POST /api/pricing/list/use": null,
  });
  const prices = section("Price list");
  await prices.findByText("2 prices wait to be applied.");
  await userEvent.click(prices.getByRole("button", { name: "Review" }));
  const dialog = within(await screen.findByRole("dialog", { name: "2 prices change" }));
  const [long, free] = dialog.getAllByRole("listitem");
  expect(long?.textContent).toContain("longInput, above 200,000 tokens$4.00$5.00Applies 2026-09-2");
  expect(free?.textContent).toBe("freeUnusualRequest$0.02$0.00");
  await userEvent.click(dialog.getByRole("button", { name: "Apply prices" }));
  await waitFor(() => expect(saved()).toEqual([{ version: "abc" }]));
});

test("an alias without a model is not saved without it: the empty field is marked", async () => {
  await open({ "GET /api/models/all": [] });
  const answer = globalThis.fetch;
  const values = { option: "ModelAliases", part: "fast.1" };
  const refusal = { success: false, message: "No.", code: "option-aliases", field: "value", values };
  const sent: unknown[] = [];
  vi.stubGlobal("fetch", (address: string, init: RequestInit = {}) => {
    if (init.method !== "PUT") return answer(address, init);
    sent.push(typeof init.body === "string" ? JSON.parse(init.body) : undefined);
    return Response.json(refusal, { status: 400 });
  });
  const aliases = section("Aliases");
  const add = await aliases.findByRole("button", { name: "Add alias" });
  await userEvent.click(add);
  await userEvent.type(aliases.getByRole("textbox", { name: "Alias" }), "fast");
  await userEvent.type(aliases.getByRole("combobox", { name: "Model" }), "gpt-4o-mini");
  await userEvent.click(aliases.getByRole("button", { name: "Add a model to fast" }));
  await save("Aliases");
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({ value: JSON.stringify({ fast: ["gpt-4o-mini", ""] }, undefined, 2) });
  expect(await aliases.findByText("Fill this in, or remove the row.")).toBeTruthy();
  const [, empty] = aliases.getAllByRole("combobox", { name: "Model" });
  expect(empty?.getAttribute("aria-invalid")).toBe("true");
});

test("aliases are edited in a table, a model a row, and saved as JSON", async () => {
  const saved = await open({ "GET /api/models/all": [] });
  const aliases = section("Aliases");
  const add = await aliases.findByRole("button", { name: "Add alias" });
  await userEvent.click(add);
  await userEvent.type(aliases.getByRole("textbox", { name: "Alias" }), "fast");
  await userEvent.type(aliases.getByRole("combobox", { name: "Model" }), "gpt-4o-mini");
  await userEvent.click(aliases.getByRole("button", { name: "Add a model to fast" }));
  await userEvent.type(aliases.getAllByRole("combobox", { name: "Model" })[1] ?? add, "gpt-4o");
  await userEvent.click(aliases.getByRole("button", { name: "Add a model to fast" }));
  await userEvent.type(aliases.getAllByRole("combobox", { name: "Model" })[2] ?? add, "gpt-4");
  await userEvent.click(aliases.getByRole("button", { name: "Remove row fast, gpt-4" }));
  await save("Aliases");
  await waitFor(() => expect(saved()).toHaveLength(1));
  const [change] = saved();
  expect(change).toEqual({
    key: "ModelAliases",
    value: JSON.stringify({ fast: ["gpt-4o-mini", "gpt-4o"] }, undefined, 2),
  });
});

test("a model of an alias gets conditions and a deadline in a dialog, and its row says so", async () => {
  const saved = await open({ "GET /api/models/all": [] });
  const aliases = section("Aliases");
  await userEvent.click(await aliases.findByRole("button", { name: "Add alias" }));
  await userEvent.type(aliases.getByRole("textbox", { name: "Alias" }), "fast");
  await userEvent.type(aliases.getByRole("combobox", { name: "Model" }), "o3");
  await userEvent.click(aliases.getByRole("button", { name: "Used for o3: All requests" }));
  const dialog = within(await screen.findByRole("dialog", { name: "When to use o3" }));
  await userEvent.type(dialog.getByRole("textbox", { name: "Input price up to, per million tokens" }), "2.5");
  const tools = within(dialog.getByRole("group", { name: "Tools" }));
  await userEvent.click(tools.getByRole("button", { name: "With" }));
  await userEvent.type(dialog.getByRole("textbox", { name: "First token within" }), "2000");
  await userEvent.click(dialog.getByRole("button", { name: "Apply" }));
  const words = "Used for o3: with tools, input up to $2.50, first token in 2.00 s";
  expect(await aliases.findByRole("button", { name: words })).toBeTruthy();
  await save("Aliases");
  await waitFor(() => expect(saved()).toHaveLength(1));
  const [change] = saved();
  const entry = { model: "o3", when: { input_price_to: 2.5, tools: true }, first_token_ms: 2_000 };
  expect(change).toEqual({ key: "ModelAliases", value: JSON.stringify({ fast: [entry] }, undefined, 2) });
});

test("models that were refused for want of a price are listed, and one press charges the fallback", async () => {
  const unpriced = [{ model: "short", price_of: "new-model", requests: 7 }];
  const saved = await open({
    "GET /api/option/": [
      ...options.filter(({ key }) => key !== "ModelRatio"),
      { key: "UnpricedModels", value: "ask" },
      { key: "ModelRatio", value: '{"o3":2}' },
    ],
    "GET /api/dashboard/troubles": {
      channels: [],
      sleeping: [],
      channel_balances: [],
      user_balances: [],
      unpriced_models: unpriced,
    },
  });
  const refused = within(await screen.findByRole("region", { name: "Models without a price" }));
  expect(refused.getByText("7 requests refused in 24 hours")).toBeDefined();
  const link = refused.getByRole("link", { name: "Set a price for new-model" });
  expect(link.getAttribute("href")).toBe("/setting/ratios?price=new-model");
  await userEvent.click(refused.getByRole("button", { name: "Charge the fallback for new-model" }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.getByText(/\$60\.00 per million tokens/)).toBeDefined();
  await userEvent.click(dialog.getByRole("button", { name: "Charge the fallback" }));
  const value = formatRatios(new Map([["o3", 2], ["new-model", 30]])); // prettier-ignore
  await waitFor(() => expect(saved()).toEqual([{ key: "ModelRatio", value }]));
});

test("without the answer to ask, no models are listed", async () => {
  await open();
  expect(screen.queryByRole("region", { name: "Models without a price" })).toBeNull();
});
