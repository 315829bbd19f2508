import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test } from "vitest";
import { renderPage } from "../../../../testing/render-page.tsx";
import { stubCalls } from "../../../../testing/stub-calls.ts";
import GroupBudgets from "./group-budgets.tsx";

const TEAM = {
  group: "team",
  budget: { quota: 50_000_000, period: "monthly", used: 12_500_000, renews_at: 1_798_761_600 },
};

async function open() {
  const sent = stubCalls({
    "GET /api/group/budget": [TEAM],
    "GET /api/group/": ["default", "team", "vip"],
    "PUT /api/group/budget": null,
  });
  await renderPage(<GroupBudgets />, { texts: ["budgets"] });
  await screen.findByText("team");
  return () => sent.filter(({ method }) => method === "PUT").map(({ body }) => body);
}

test("a group without a budget gets one, in dollars; a save without it names the fields", async () => {
  const saved = await open();
  expect(screen.getByRole("row", { name: /team/ }).textContent).toMatch(/75.*100.*monthly/);
  await userEvent.click(screen.getByRole("button", { name: "Set group budget" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Set group budget" }));
  await userEvent.click(dialog.getByRole("button", { name: "Save" }));
  expect(await dialog.findByText("Choose a group.")).toBeTruthy();
  expect(dialog.getByText("Enter an amount above 0.")).toBeTruthy();
  const group = dialog.getByRole("combobox", { name: "Group" });
  await waitFor(() => expect(document.activeElement).toBe(group));
  await userEvent.click(group);
  expect(screen.queryByRole("option", { name: "team" })).toBeNull();
  await userEvent.click(await screen.findByRole("option", { name: "vip" }));
  await userEvent.type(dialog.getByRole("textbox", { name: "Amount per period" }), "20");
  await userEvent.click(dialog.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(saved()).toEqual([{ group: "vip", budget: { quota: 10_000_000, period: "monthly" } }]));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

test("a budget is removed after a question", async () => {
  const saved = await open();
  await userEvent.click(screen.getByRole("button", { name: "Remove team" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Remove the budget of team?" }));
  expect(saved()).toEqual([]);
  await userEvent.click(dialog.getByRole("button", { name: "Remove" }));
  await waitFor(() => expect(saved()).toEqual([{ group: "team", budget: null }]));
});
