import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import type { ReactNode } from "react";
import { beforeEach, expect, test } from "vitest";
import { storeUser } from "../../../../lib/state/session.ts";
import { renderPage } from "../../../../testing/render-page.tsx";
import { stubCalls } from "../../../../testing/stub-calls.ts";
import { sampleUser } from "../../../users/testing/sample-user.ts";
import OperationSettings from "../operation-settings.tsx";
import RatiosPage from "./ratios-page.tsx";

const options = Object.entries({
  QuotaPerUnit: "500000",
  ModelRatio: "{}",
  CompletionRatio: "{}",
  GroupRatio: '{"default":1,"vip":0.5}',
}).map(([key, value]) => ({ key, value }));

const listed = [{ model: "gpt-4o", type: 1, served: true, model_ratio: 1.25, completion_ratio: 4 }];

beforeEach(() => storeUser(sampleUser({ role: 100 })));

async function open(page: ReactNode, more: Record<string, unknown> = {}, address = "/") {
  const sent = stubCalls({
    "GET /api/option/": options,
    "GET /api/option/secrets": [],
    "GET /api/pricing/listed": listed,
    "GET /api/pricing/coming": [],
    ...more,
  });
  await renderPage(page, { texts: ["settings"], address });
  await screen.findByRole("button", { name: "Save: Ratios" });
  return () => sent.filter(({ method }) => method !== "GET").map(({ body }) => body);
}

const openTables = (more?: Record<string, unknown>) => open(<RatiosPage />, more);
const openJson = (more?: Record<string, unknown>) => open(<OperationSettings section="ratio" />, more);

const save = () => userEvent.click(screen.getByRole("button", { name: "Save: Ratios" }));

test("[OPER-44] [OPER-45] [OPER-46] a price typed in dollars is a ratio; what changes is shown before it is saved", async () => {
  const effect = {
    before: 500_000,
    after: 1_250_000,
    models: [{ model: "gpt-4o", before: 500_000, after: 1_250_000 }],
    changed: 1,
  };
  const changes = [{ key: "GroupRatio", changed_at: 1_763_700_000, actor_name: "root" }];
  const all = await openTables({ "POST /api/pricing/effect": effect, "GET /api/audit/options": changes });
  const saved = () => all().filter((body) => !JSON.stringify(body).includes("model_ratios"));
  const trail = await screen.findByRole("link", { name: "Last change: Group ratios, by root" });
  expect(trail.getAttribute("href")).toBe("/audit?object=option%3AGroupRatio");
  const input = await screen.findByRole("textbox", { name: "Input $/M of gpt-4o" });
  await userEvent.type(input, "5");
  expect(screen.getByText("+100%")).toBeDefined();
  const vip = screen.getByRole("textbox", { name: "Ratio of vip" });
  await userEvent.clear(vip);
  await userEvent.type(vip, "0.8");
  await save();
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.getByText("Save 2 changes?")).toBeDefined();
  const prices = await dialog.findByRole("region", { name: "USD per million tokens, input / output" });
  expect(prices.textContent).toContain("gpt-4o$2.50 / $10.00 (price list)$5.00 / $20.00");
  expect(dialog.getByRole("region", { name: "Group ratios" }).textContent).toContain("vip0.50.8");
  const lastWeek = within(await dialog.findByRole("region", { name: "Cost of the last 7 days at the new prices" }));
  expect(lastWeek.getByText("gpt-4o").closest("li")?.textContent).toBe("gpt-4o$1.00$2.50");
  expect(all()).toContainEqual({ model_ratios: { "gpt-4o": 2.5 }, completion_ratios: {}, model_prices: {} });
  expect(saved()).toEqual([]);
  await userEvent.click(dialog.getByRole("button", { name: "Save changes" }));
  await waitFor(() => expect(saved()).toHaveLength(2));
  expect(saved()).toEqual([
    { key: "ModelRatio", value: '{\n  "gpt-4o": 2.5\n}' },
    { key: "GroupRatio", value: '{\n  "default": 1,\n  "vip": 0.8\n}' },
  ]);
});

test("prices are of a million tokens, as their column says, and those of something else say of what", async () => {
  const image = { model: "dall-e-3", unit: "image", type: 1, served: true, model_ratio: 20, completion_ratio: 1 };
  await openTables({ "GET /api/pricing/listed": [...listed, image] });
  const field = async (name: string) => (await screen.findByRole("textbox", { name })).closest("td");
  expect((await field("Input $/M of gpt-4o"))?.textContent).toBe("$");
  expect(screen.getByRole("columnheader", { name: "Input $/M" })).toBeDefined();
  expect((await field("Price per image of dall-e-3"))?.textContent).toContain("per image");
});

test("a row says whether its price is the list's or an own one, and goes back to the list; a group's ratio to its default", async () => {
  const set = { ModelRatio: '{"gpt-4o":2.5}', CompletionRatio: '{"gpt-4o":4}', GroupRatio: '{"default":1,"vip":0.5}' };
  const values = new Map(Object.entries(set));
  const saved = await openTables({
    "GET /api/option/": options.map(({ key, value }) => ({ key, value: values.get(key) ?? value, default: "{}" })),
  });
  const mark = (name: string) => screen.queryByRole("button", { name });
  const row = within((await screen.findByText("gpt-4o")).closest("tr") ?? document.body);
  expect(row.getByText("Own price").closest("td")?.textContent).toBe("Own price+100%list $2.50 / $10.00");
  expect(row.getByRole("textbox", { name: "Input $/M of gpt-4o" })).toHaveProperty("value", "5.00");
  await userEvent.click(row.getByRole("button", { name: /^Reset to list price/ }));
  expect(row.getByRole("textbox", { name: "Input $/M of gpt-4o" })).toHaveProperty("value", "");
  expect(row.getByRole("textbox", { name: "Input $/M of gpt-4o" })).toHaveProperty("placeholder", "2.50");
  expect(row.getByText("List price")).toBeDefined();
  expect(row.queryByText("Own price")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Ratio of vip: modified, reset to 1" }));
  expect(screen.getByRole("textbox", { name: "Ratio of vip" })).toHaveProperty("value", "1");
  expect(mark("Ratio of vip: modified, reset to 1")).toBeNull();
  expect(saved()).toEqual([]);
});

test("the tables have the history of each price option, and an earlier value becomes a change to save", async () => {
  const entry = { id: 9, changed_at: 1_763_700_000, actor_name: "root", can_revert: true, detail_count: 1 };
  await openTables({
    "GET /api/audit/options": [{ key: "ModelRatio", changed_at: 1_763_700_000, actor_name: "root" }],
    "GET /api/audit/options/ModelRatio": [{ ...entry, details: [{ field: "gpt-4o", from: "2.5", to: "1.25" }] }],
    "GET /api/audit/options/ModelRatio/9": { value: '{"gpt-4o":2.5}' },
  });
  expect(screen.queryByRole("button", { name: "Group ratios: history" })).toBeNull();
  await userEvent.click(await screen.findByRole("button", { name: "Model ratios: history" }));
  await userEvent.click(await screen.findByRole("button", { name: /^Revert the change of/ }));
  const input = screen.getByRole("textbox", { name: "Input $/M of gpt-4o" });
  expect(await screen.findByDisplayValue("5.00")).toBe(input);
  expect(screen.getByText("1 unsaved change")).toBeTruthy();
});

test.each([
  ["Model ratios", "[TEXT-29] [OPER-47]"],
  ["Completion ratios", "[TEXT-31] [OPER-49]"],
  ["Group ratios", "[TEXT-30] [OPER-48]"],
])("%s that are no JSON name the entry and the place, and are not saved %s", async (label) => {
  const saved = await openJson();
  const editor = screen.getByRole("textbox", { name: label });
  await userEvent.clear(editor);
  await userEvent.click(editor);
  await userEvent.paste('{\n  "gpt-4o": 1\n  "o3": 2\n}');
  expect(screen.getByText(`${label}: invalid JSON at line 3, column 3.`)).toBeDefined();
  await save();
  expect(screen.queryByRole("dialog")).toBeNull();
  await userEvent.clear(editor);
  await userEvent.click(editor);
  await userEvent.paste('{"o3": "2"}');
  expect(screen.getByText(/“o3” at line 1, column 8 must be a number/)).toBeDefined();
  expect(saved()).toEqual([]);
});

test("ratios are marked where they differ from their default, which goes into the text and is saved like any change", async () => {
  const saved = await openJson({
    "GET /api/option/": options.map((option) => {
      if (option.key === "GroupRatio") return { ...option, default: '{"default":1}' };
      // The same, in other words.
      return option.key === "ModelRatio" ? { ...option, value: "{ }", default: "{}" } : option;
    }),
  });
  expect(screen.queryByRole("button", { name: "Model ratios: modified" })).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Group ratios: modified" }));
  const box = within(await screen.findByRole("dialog", { name: "Group ratios" }));
  await userEvent.click(box.getByRole("button", { name: "Reset to default" }));
  expect(screen.getByRole("textbox", { name: "Group ratios" })).toHaveProperty("value", '{"default":1}');
  expect(saved()).toEqual([]);
  await save();
  const dialog = within(await screen.findByRole("dialog"));
  await userEvent.click(dialog.getByRole("button", { name: "Save changes" }));
  await waitFor(() => expect(saved()).toContainEqual({ key: "GroupRatio", value: '{"default":1}' }));
});

test("[OPER-50] the tab has the ratios as JSON, without text for an empty object, and leads to their tables", async () => {
  await openJson();
  expect(screen.getByRole("textbox", { name: "Model ratios" })).toHaveProperty("value", "");
  expect(screen.getByRole("textbox", { name: "Group ratios" })).toHaveProperty("value", '{"default":1,"vip":0.5}');
  expect(screen.getByRole("link", { name: "Edit in tables" }).getAttribute("href")).toBe("/setting/ratios");
});

test("unsaved ratios are counted by entry, and discarded with one press", async () => {
  await openTables();
  const vip = screen.getByRole("textbox", { name: "Ratio of vip" });
  await userEvent.clear(vip);
  await userEvent.type(vip, "0.8");
  await userEvent.type(await screen.findByRole("textbox", { name: "Model ratio of gpt-4o" }), "3");
  expect(screen.getByText("2 unsaved changes")).toBeDefined();
  await userEvent.click(screen.getByRole("button", { name: "Discard changes: Ratios" }));
  expect(screen.getByRole("textbox", { name: "Ratio of vip" })).toHaveProperty("value", "0.5");
  expect(screen.queryByText(/unsaved/)).toBeNull();
});

test("prices of every kind, and from a date on, are typed in a dialog and saved with the page", async () => {
  const saved = await openTables({ "POST /api/pricing/effect": { before: 0, after: 0, models: [], changed: 0 } });
  await userEvent.click(await screen.findByRole("button", { name: /All prices….*gpt-4o/ }));
  const dialog = within(await screen.findByRole("dialog"));
  const type = async (label: string | RegExp, text: string, index = 0) => {
    const field = dialog.getAllByLabelText(label)[index] ?? document.body;
    await userEvent.clear(field);
    if (text !== "") await userEvent.type(field, text);
  };
  expect(dialog.getByLabelText(/^Output/)).toHaveProperty("value", "10");
  await type("Cache write, 1 h", "cheap");
  await userEvent.click(dialog.getByRole("button", { name: "Apply" }));
  expect(dialog.getByRole("alert").textContent).toContain("cache_write_1h must be 0, or a number of dollars");
  await type("Cache write, 1 h", "5");
  await userEvent.click(dialog.getByRole("button", { name: "Add a future price" }));
  await type("Starts", "2026-12-01", 1);
  await type(/^Output/, "20", 1);
  await userEvent.click(dialog.getByRole("button", { name: "Apply" }));
  expect(screen.queryByRole("textbox", { name: "Model ratio of gpt-4o" })).toBeNull();
  await save();
  const changes = within(await screen.findByRole("dialog"));
  const list = await changes.findByRole("region", { name: "Prices in dollars" });
  expect(list.textContent).toContain("gpt-4onone$2.50 / $10.00 · from 2026-12-01: $2.50 / $20.00");
  await userEvent.click(changes.getByRole("button", { name: "Save changes" }));
  const first = { input: 2.5, output: 10, cache_write_1h: 5 };
  const later = { from: "2026-12-01", input: 2.5, output: 20, cache_write_1h: 5 };
  await waitFor(() => {
    const value = `{\n  "gpt-4o": ${JSON.stringify([first, later])}\n}`;
    expect(saved()).toContainEqual({ key: "ModelPrices", value });
  });
});

test("prices that begin later are listed with the cost of the last week", async () => {
  const price = (input: number, output: number) => ({ unit: "token", input, output });
  await openTables({
    "GET /api/pricing/coming": [
      {
        model: "gemini-4-argon",
        at: 1_796_083_200,
        source: "option",
        before: price(2, 12),
        after: price(4, 20),
        effect: { before: 500_000, after: 1_000_000 },
      },
    ],
  });
  const coming = within(await screen.findByRole("region", { name: "Upcoming prices" }));
  expect(coming.getByRole("listitem").textContent).toContain("$2.00 / $12.00$4.00 / $20.00last 7 days: $1.00 → $2.00");
});

test("the address of a model without a price opens its prices, with the fallback as a start", async () => {
  const effect = { before: 0, after: 0, models: [], changed: 0 };
  const saved = await open(<RatiosPage />, { "POST /api/pricing/effect": effect }, "/setting/ratios?price=new-model");
  const dialog = within(await screen.findByRole("dialog", { name: /new-model/ }));
  expect(dialog.getByLabelText(/^Output/)).toHaveProperty("value", "60");
  const input = dialog.getByLabelText(/^Input/);
  await userEvent.clear(input);
  await userEvent.type(input, "3");
  await userEvent.click(dialog.getByRole("button", { name: "Apply" }));
  await save();
  await userEvent.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Save changes" }));
  await waitFor(() => expect(JSON.stringify(saved())).toMatch(/"ModelPrices".*new-model.*3.*60/));
});
