import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test } from "vitest";
import { renderPage } from "../../testing/render-page.tsx";
import { stubCalls } from "../../testing/stub-calls.ts";
import WhatIfPage from "./what-if-page.tsx";

const before = { requests: 100, errors: 10, spend: 1_000_000, cost: 500_000, unknown: 0, first_byte_ms: 500 };
const after = { ...before, errors: 20, spend: 1_500_000 };

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
  const estimate = screen.getByRole("button", { name: "Estimate" });
  expect(estimate).toHaveProperty("disabled", true);
  await userEvent.type(await screen.findByRole("textbox", { name: "vip" }), "1.5");
  await userEvent.click(estimate);
  const result = await screen.findByRole("region", { name: "Estimate" });
  expect(within(result).getByText("$3.00")).toBeTruthy();
  expect(within(result).getByText("Based on 100 requests. The change affects 3 users.")).toBeTruthy();
  expect(within(result).getByText("1 model would have no channel")).toBeTruthy();
  expect(within(result).getByText("gpt-4o (group vip)")).toBeTruthy();
  const channels = within(result).getByRole("table", { name: "Requests by channel" });
  expect(within(channels).getByText("40")).toBeTruthy();
  expect(sent.find(({ method }) => method === "POST")?.body).toEqual({
    days: 7,
    group_ratios: { vip: 1.5 },
    model_prices: {},
    channels: [],
    aliases: {},
  });
  await userEvent.click(screen.getByRole("radio", { name: "30 days" }));
  expect(screen.getByText("You changed the form after this estimate. Estimate again.")).toBeTruthy();
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
