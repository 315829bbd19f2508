import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test } from "vitest";
import { renderPage } from "../../../testing/render-page.tsx";
import { stubCalls } from "../../../testing/stub-calls.ts";
import ChannelListPage from "../channel-list-page.tsx";
import { sampleChannel } from "../testing/sample-channel.ts";

const LIST = "GET /api/channel/";
const CHANGE = "POST /api/channel/bulk/change";
const rows = [sampleChannel(), sampleChannel({ id: 8, name: "Other", tags: "eu,test" })];
const render = (address = "/channel") =>
  renderPage(<ChannelListPage />, { address, texts: ["channels", "views", "channel-bulk", "bulk"] });
const bar = async () => within(await screen.findByRole("region", { name: "Selected channels" }));
const changing = (sent: ReturnType<typeof stubCalls>) => sent.filter((call) => call.method !== "GET");
const outcome = (id: number, name: string, more: object = {}) => ({ id, name, code: "", message: "", ...more });

async function selectAll() {
  await screen.findByRole("link", { name: "Main" });
  await userEvent.click(screen.getByRole("checkbox", { name: "Select all rows of this page" }));
}

test("chosen rows are disabled in one call, and Undo gives each what it had", async () => {
  const sent = stubCalls({
    [LIST]: rows,
    [CHANGE]: [outcome(7, "Main", { before: { status: 1 } }), outcome(8, "Other", { before: { status: 5 } })],
  });
  await render();
  await selectAll();
  await userEvent.click((await bar()).getByRole("button", { name: "Disable" }));
  const toast = (await screen.findByText("2 channels changed")).closest("[data-kind]");
  if (!(toast instanceof HTMLElement)) throw new Error("the text stands in no toast");
  await userEvent.click(within(toast).getByRole("button", { name: "Undo" }));
  await waitFor(() =>
    expect(changing(sent).map(({ body }) => body)).toEqual([
      { changes: [{ ids: [7, 8], set: { status: 2 } }] },
      {
        changes: [
          { ids: [7], set: { status: 1 } },
          { ids: [8], set: { status: 5 } },
        ],
      },
    ]),
  );
});

test("what was refused is told by name and reason, and what was done can be undone", async () => {
  const refused = outcome(8, "Other", { code: "channel-not-found", message: "There is no such channel." });
  const sent = stubCalls({ [LIST]: rows, [CHANGE]: [outcome(7, "Main", { before: { tags: "" } }), refused] });
  await render();
  await selectAll();
  await userEvent.click((await bar()).getByRole("button", { name: "Edit…" }));
  const form = within(await screen.findByRole("dialog", { name: "Edit 2 channels" }));
  expect(form.getByRole("button", { name: "Update 2 channels" })).toHaveProperty("disabled", true);
  await userEvent.type(form.getByRole("textbox", { name: "Weight" }), "4");
  await userEvent.type(form.getByRole("combobox", { name: "Add tags" }), "north,big customer,");
  await userEvent.click(form.getByRole("button", { name: "Update 2 channels" }));
  const report = within(await screen.findByRole("dialog", { name: "Some changes failed" }));
  expect(report.getByText("1 of 2 channels updated.")).toBeTruthy();
  expect(report.getByRole("link", { name: "Other" })).toBeTruthy();
  expect(await report.findByText("There is no such channel.")).toBeTruthy();
  await userEvent.click(report.getByRole("button", { name: "Undo 1 change" }));
  await waitFor(() =>
    expect(changing(sent).map(({ body }) => body)).toEqual([
      { changes: [{ ids: [7, 8], set: { weight: 4, add_tags: "north,big customer" } }] },
      { changes: [{ ids: [7], set: { tags: "" } }] },
    ]),
  );
});

test("intervals of scheduled checks are set for all, and others stay", async () => {
  const sent = stubCalls({ [LIST]: rows, [CHANGE]: [outcome(7, "Main"), outcome(8, "Other")] });
  await render();
  await selectAll();
  await userEvent.click((await bar()).getByRole("button", { name: "Edit…" }));
  const form = within(await screen.findByRole("dialog", { name: "Edit 2 channels" }));
  await userEvent.selectOptions(form.getByRole("combobox", { name: "Scheduled tests" }), "Every…");
  expect(form.getByRole("button", { name: "Update 2 channels" })).toHaveProperty("disabled", true);
  await userEvent.type(form.getByRole("textbox", { name: "Scheduled tests, in minutes" }), "90");
  await userEvent.selectOptions(form.getByRole("combobox", { name: "Fetching the balance" }), "Never");
  await userEvent.selectOptions(form.getByRole("combobox", { name: "Fetching the models" }), "Same as in Settings");
  await userEvent.click(form.getByRole("button", { name: "Update 2 channels" }));
  await waitFor(() =>
    expect(changing(sent).map(({ body }) => body)).toEqual([
      { changes: [{ ids: [7, 8], set: { test_minutes: 90, balance_minutes: 0, models_minutes: -1 } }] },
    ]),
  );
});

test("all of a filter are chosen by the server's ids, done hundred by hundred, and the number is typed before they are deleted", async () => {
  const ids = Array.from({ length: 150 }, (_value, index) => index + 1);
  const sent = stubCalls({
    [LIST]: Array.from({ length: 150 }, (_value, index) => sampleChannel({ id: index + 1, name: `c${index + 1}` })),
    "GET /api/channel/ids?keyword=&tag=eu": ids,
    "POST /api/channel/bulk/delete": [],
  });
  await render("/channel?tag=eu");
  await screen.findByRole("link", { name: "c1" });
  await userEvent.click(screen.getByRole("checkbox", { name: "Select c1" }));
  await userEvent.click(await (await bar()).findByRole("button", { name: "Select all 150" }));
  expect(await (await bar()).findByText("150 selected")).toBeTruthy();
  await userEvent.click((await bar()).getByRole("button", { name: "Delete" }));
  const question = within(await screen.findByRole("dialog", { name: "Delete 150 channels?" }));
  const button = question.getByRole("button", { name: "Delete" });
  expect(button).toHaveProperty("disabled", true);
  await userEvent.type(question.getByRole("textbox"), "150");
  await userEvent.click(button);
  expect(await screen.findByText("150 channels deleted")).toBeTruthy();
  expect(changing(sent).map(({ body }) => body)).toEqual([{ ids: ids.slice(0, 100) }, { ids: ids.slice(100) }]);
});

test("what leaves the list by a change is chosen no more, and is again when the change is taken back", async () => {
  const answers: Record<string, unknown> = { [LIST]: rows, "GET /api/channel/ids": [8, 7] };
  const sent = stubCalls(answers);
  await render("/channel?status=1");
  await selectAll();
  expect(await (await bar()).findByText("2 selected")).toBeTruthy();
  answers[CHANGE] = [
    outcome(7, "Main", { before: { status: 1 } }),
    outcome(8, "", { code: "channel-not-found", message: "There is no such channel." }),
  ];
  answers[LIST] = [];
  answers["GET /api/channel/ids"] = [];
  await userEvent.click((await bar()).getByRole("button", { name: "Disable" }));
  const report = within(await screen.findByRole("dialog", { name: "Some changes failed" }));
  expect(screen.queryByText("2 selected")).toBeNull();
  expect(sent.filter(({ address }) => address.startsWith("/api/channel/ids")).at(-1)?.address).toContain("status=1");
  answers[LIST] = rows.slice(0, 1);
  answers["GET /api/channel/ids"] = [7];
  await userEvent.click(report.getByRole("button", { name: "Undo 1 change" }));
  expect(await screen.findByText("1 selected")).toBeTruthy();
});

test("a deletion that is cut short leaves chosen what it did not reach", async () => {
  const answers: Record<string, unknown> = {
    [LIST]: rows,
    "POST /api/channel/bulk/delete": new Error("The disk is full."),
  };
  stubCalls(answers);
  await render();
  await selectAll();
  await userEvent.click((await bar()).getByRole("button", { name: "Delete" }));
  const question = within(await screen.findByRole("dialog", { name: "Delete 2 channels?" }));
  await userEvent.click(question.getByRole("button", { name: "Delete" }));
  await screen.findByRole("dialog", { name: "Some changes failed" });
  expect(screen.getByText("2 selected")).toBeTruthy();
});

test("tags stand in their rows and lead to the channels that have them", async () => {
  stubCalls({ [LIST]: rows });
  await render();
  expect((await screen.findByRole("link", { name: "eu" })).getAttribute("href")).toBe("/channel?tag=eu");
});
