import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { storeUser } from "../../lib/state/session.ts";
import { renderPage } from "../../testing/render-page.tsx";
import { stubCalls } from "../../testing/stub-calls.ts";
import WhatIfPage from "./what-if-page.tsx";

const before = { requests: 100, errors: 10, spend: 1_000_000, cost: 500_000, unknown: 0, first_byte_ms: 500 };
const after = { ...before, errors: 20, spend: 1_500_000 };

let users = 0;

/** Each test has a user of its own, so that it begins without estimates. */
beforeEach(() => {
  users += 1;
  storeUser({ id: users, username: "root", display_name: "Root", role: 100, status: 1 });
});

test("a change is estimated and shown beside what happened; editing it marks the estimate as outdated", async () => {
  const sent = stubCalls({
    "GET /api/option/": [
      { key: "GroupRatio", value: '{"default":1,"vip":2}' },
      { key: "ModelAliases", value: '{"fast":{"gpt-4o":90,"o3":10},"slow":["o3"]}' },
    ],
    "GET /api/option/secrets": [],
    "GET /api/user/available_models": ["gpt-4o"],
    "GET /api/channel/search": [],
    "POST /api/what-if": {
      before,
      after,
      users: 3,
      models: [{ model: "gpt-4o", before, after, lost_in: ["vip"] }],
      affected: 1,
      channels: [{ id: 1, name: "Main", before: 100, after: 40 }],
    },
  });
  await renderPage(<WhatIfPage />, { address: "/what-if", texts: ["what-if", "channel-form"] });
  const period = within(screen.getByRole("region", { name: "Last 7 days" }));
  expect(await period.findByText("$2.00")).toBeTruthy();
  expect(period.getByText(/^100 requests\./)).toBeTruthy();
  const estimate = screen.getByRole("button", { name: "Estimate" });
  expect(estimate).toHaveProperty("disabled", true);
  await userEvent.type(await screen.findByRole("textbox", { name: "vip" }), "1.5");
  await userEvent.click(estimate);
  const result = await screen.findByRole("region", { name: "Estimate" });
  expect(within(result).getByRole("row", { name: "Spend $2.00 $3.00" })).toBeTruthy();
  expect(within(result).getByText("Based on 100 requests. The change affects 3 users.")).toBeTruthy();
  expect(within(result).getByText("1 model would have no channel")).toBeTruthy();
  expect(within(result).getByText("gpt-4o (group vip)")).toBeTruthy();
  const channels = within(result).getByRole("table", { name: "Requests by channel" });
  expect(within(channels).getByText("40")).toBeTruthy();
  expect(sent.findLast(({ method }) => method === "POST")?.body).toEqual({
    days: 7,
    group_ratios: { vip: 1.5 },
    model_prices: {},
    channels: [],
    aliases: {},
  });
  await userEvent.click(screen.getByRole("button", { name: "Last 30 days" }));
  expect(screen.getByText("The form has changed since this estimate.")).toBeTruthy();
  await userEvent.clear(screen.getByRole("textbox", { name: "vip" }));
  await chooseAlias();
  await userEvent.click(estimate);
  await waitFor(() =>
    expect(sent.findLast(({ method }) => method === "POST")?.body).toMatchObject({
      group_ratios: {},
      aliases: { fast: { "gpt-4o": 50, o3: 10 } },
    }),
  );
});

test("conditions and deadlines of an alias are taken over, edited and estimated, with the requests that could not be judged", async () => {
  const fast = [
    { model: "gpt-4o", when: { tools: true } },
    { model: "o3", first_token_ms: 800 },
  ];
  const sent = stubCalls({
    "GET /api/option/": [{ key: "ModelAliases", value: JSON.stringify({ fast }) }],
    "GET /api/option/secrets": [],
    "GET /api/user/available_models": ["gpt-4o"],
    "GET /api/channel/search": [],
    "POST /api/what-if": { before, after, unjudged: 12, users: 3, models: [], affected: 0, channels: [] },
  });
  await renderPage(<WhatIfPage />, { address: "/what-if", texts: ["what-if", "channel-form"] });
  const section = within(await screen.findByRole("region", { name: "Aliases" }));
  await userEvent.click(section.getByRole("button", { name: "Add alias" }));
  await userEvent.selectOptions(section.getByRole("combobox", { name: "Alias" }), "fast");
  await userEvent.click(section.getByRole("button", { name: "Used for gpt-4o: with tools" }));
  const dialog = within(await screen.findByRole("dialog"));
  await userEvent.type(dialog.getByRole("textbox", { name: "Prompt tokens up to" }), "500");
  await userEvent.click(dialog.getByRole("button", { name: "Apply" }));
  await userEvent.click(screen.getByRole("button", { name: "Estimate" }));
  await waitFor(() =>
    expect(sent.findLast(({ method }) => method === "POST")?.body).toMatchObject({
      aliases: {
        fast: [
          { model: "gpt-4o", when: { tools: true, prompt_to: 500 } },
          { model: "o3", first_token_ms: 800 },
        ],
      },
    }),
  );
  expect(await screen.findByText(/12 requests could not be judged, as the log lacks their facts\./)).toBeTruthy();
});

test("the estimates of the visit stand side by side, and one of them is restored into the form", async () => {
  const foreseen = { before, after, users: 3, models: [], affected: 0, channels: [] };
  // The first is of the period as it was.
  const answers = [foreseen, foreseen, { ...foreseen, after: { ...before, spend: 2_000_000 }, users: 8 }];
  stubCalls({
    "GET /api/option/": [{ key: "GroupRatio", value: '{"vip":2}' }],
    "GET /api/option/secrets": [],
    "GET /api/user/available_models": [],
    "GET /api/channel/search": [],
    get "POST /api/what-if"() {
      return answers.shift();
    },
  });
  const open = () => renderPage(<WhatIfPage />, { address: "/what-if", texts: ["what-if", "channel-form"] });
  const view = await open();
  const factor = await screen.findByRole<HTMLInputElement>("textbox", { name: "vip" });
  const estimate = async (value: string, name: string) => {
    await userEvent.clear(factor);
    await userEvent.type(factor, value);
    await userEvent.click(screen.getByRole("button", { name: "Estimate" }));
    await screen.findByRole("button", { name: `Restore ${name}` });
  };
  const rows = () => {
    const table = within(screen.getByRole("table", { name: "Estimates of this visit" }));
    return table.getAllByRole("row").map((row) => [...row.children].map(({ textContent }) => textContent));
  };
  await estimate("1.5", "change 1");
  await estimate("3", "change 2");
  expect(rows()).toEqual([
    ["Change", "Spend", "Margin", "Error rate", "First token", "Users affected"],
    ["Now", "$2.00", "$1.00", "10.0%", "0.50 s", "–"],
    ["Change 1vip × 1.5", "$3.00", "$2.00", "20.0%", "0.50 s", "3"],
    ["Change 2vip × 3", "$4.00", "$3.00", "10.0%", "0.50 s", "8"],
  ]);
  await userEvent.click(screen.getByRole("button", { name: "Restore change 1" }));
  expect(factor.value).toBe("1.5");
  const result = within(screen.getByRole("region", { name: "Estimate" }));
  expect(result.getByText("Based on 100 requests. The change affects 3 users.")).toBeTruthy();
  view.unmount();

  await open();
  expect(rows()).toHaveLength(4);
  view.unmount();
  storeUser({ id: users + 1_000, username: "other", display_name: "Other", role: 100, status: 1 });
  await waitFor(() => expect(screen.queryByRole("table", { name: "Estimates of this visit" })).toBeNull());
});

/** Takes over the models of an alias, and gives the first another weight. */
async function chooseAlias(): Promise<void> {
  const section = within(screen.getByRole("region", { name: "Aliases" }));
  await userEvent.click(section.getByRole("button", { name: "Add alias" }));
  await userEvent.selectOptions(section.getByRole("combobox", { name: "Alias" }), "fast");
  const [first, second] = section.getAllByRole("textbox", { name: "Weight" });
  expect(second).toHaveProperty("value", "10");
  if (first !== undefined) {
    await userEvent.clear(first);
    await userEvent.type(first, "50");
  }
}
