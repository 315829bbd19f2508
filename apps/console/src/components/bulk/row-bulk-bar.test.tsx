import { notifications } from "@mantine/notifications";
import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test } from "vitest";
import RedemptionListPage from "../../features/redemptions/redemption-list-page.tsx";
import { sampleRedemption } from "../../features/redemptions/testing/sample-redemption.ts";
import TokenListPage from "../../features/tokens/token-list-page.tsx";
import { sampleToken } from "../../features/tokens/testing/sample-token.ts";
import { sampleUser } from "../../features/users/testing/sample-user.ts";
import UserListPage from "../../features/users/user-list-page.tsx";
import { clearUser, storeUser } from "../../lib/state/session.ts";
import { renderPage } from "../../testing/render-page.tsx";
import { ServedRows, stubCalls } from "../../testing/stub-calls.ts";

const DISABLED = 2;
const changing = (sent: ReturnType<typeof stubCalls>) => sent.filter((call) => call.method !== "GET");
const bar = async (label: string) => within(await screen.findByRole("region", { name: label }));
const selectAll = async () =>
  userEvent.click(await screen.findByRole("checkbox", { name: "Select all rows of this page" }));

beforeEach(() => storeUser({ id: 1, username: "viewer", display_name: "", role: 10, status: 1 }));
afterEach(() => {
  clearUser();
  notifications.clean();
});

test("tokens are disabled row by row, those that are so already are left out, and Undo takes back what was done", async () => {
  const rows = [sampleToken(), sampleToken({ id: 8, name: "Other" }), sampleToken({ id: 9, name: "Off", status: 2 })];
  const sent = stubCalls({ "GET /api/token/": rows, "PUT /api/token/": sampleToken({ status: DISABLED }) });
  await renderPage(<TokenListPage />, { address: "/token", texts: ["tokens", "views", "bulk"] });
  await screen.findByRole("link", { name: "Other" });
  await selectAll();
  expect(await (await bar("Selected tokens")).findByText("3 selected")).toBeTruthy();
  await userEvent.click((await bar("Selected tokens")).getByRole("button", { name: "Disable (2)" }));
  const toast = (await screen.findByText("2 rows updated")).closest("[data-kind]");
  if (!(toast instanceof HTMLElement)) throw new Error("the text stands in no toast");
  await userEvent.click(within(toast).getByRole("button", { name: "Undo" }));
  await waitFor(() =>
    expect(changing(sent).map(({ body }) => body)).toEqual([
      { id: 7, status: 2 },
      { id: 8, status: 2 },
      { id: 7, status: 1 },
      { id: 8, status: 1 },
    ]),
  );
});

test("a code that refuses is named with its reason, and the others are deleted after the number was typed", async () => {
  const rows = Array.from({ length: 11 }, (_row, index) => sampleRedemption({ id: index + 1, name: `code ${index}` }));
  const answers: Record<string, unknown> = { "GET /api/redemption/": rows };
  answers["DELETE /api/redemption/3/"] = new Error("It was redeemed meanwhile.");
  const sent = stubCalls(answers);
  await renderPage(<RedemptionListPage />, { address: "/redemption", texts: ["redemptions", "views", "bulk"] });
  await screen.findByRole("link", { name: "code 0" });
  await selectAll();
  await userEvent.click((await bar("Selected redemption codes")).getByRole("button", { name: "Delete" }));
  const question = within(await screen.findByRole("dialog", { name: "Delete 11 redemption codes?" }));
  expect(question.getByRole("button", { name: "Delete" })).toHaveProperty("disabled", true);
  expect((await question.findByText("Balance that is lost")).closest("div")?.textContent).toMatch(/\$\d+\.\d\d$/);
  expect(changing(sent)).toEqual([]);
  await userEvent.type(question.getByRole("textbox"), "11");
  await userEvent.click(question.getByRole("button", { name: "Delete" }));
  const report = within(await screen.findByRole("dialog", { name: "Some changes failed" }));
  expect(report.getByText("10 of 11 rows updated.")).toBeTruthy();
  expect(report.getByRole("listitem").textContent).toContain("code 2");
  expect(report.getByRole("listitem").textContent).toContain("It was redeemed meanwhile.");
  expect(changing(sent)).toHaveLength(11);
});

test("all that match are chosen, those of other pages too, and what was done to them ends the choice of those", async () => {
  const rows = Array.from({ length: 230 }, (_row, index) => sampleToken({ id: index + 1, name: `token ${index}` }));
  const sent = stubCalls({ "GET /api/token/": new ServedRows(rows), "PUT /api/token/": sampleToken() });
  await renderPage(<TokenListPage />, { address: "/token", texts: ["tokens", "views", "bulk"] });
  await screen.findByRole("link", { name: "token 3" });
  await userEvent.click(await screen.findByRole("checkbox", { name: "Select token 3" }));
  await userEvent.click(await (await bar("Selected tokens")).findByRole("button", { name: "Select all 230" }));
  expect(await (await bar("Selected tokens")).findByText("230 selected")).toBeTruthy();
  expect((await bar("Selected tokens")).queryByRole("button", { name: "Select all 230" })).toBe(null);
  await userEvent.click((await bar("Selected tokens")).getByRole("button", { name: "Disable" }));
  expect(await screen.findByText("230 rows updated")).toBeTruthy();
  expect(new Set(changing(sent).map(({ body }) => JSON.stringify(body))).size).toBe(230);
  expect(await (await bar("Selected tokens")).findByText("20 selected")).toBeTruthy();
});

test("a deletion of several tokens counts those that were used in the last day", async () => {
  const now = Math.floor(Date.now() / 1_000);
  const rows = [sampleToken({ accessed_time: now - 60 }), sampleToken({ id: 8, name: "Other", accessed_time: 0 })];
  stubCalls({ "GET /api/token/": rows });
  await renderPage(<TokenListPage />, { address: "/token", texts: ["tokens", "views", "bulk"] });
  await screen.findByRole("link", { name: "Other" });
  await selectAll();
  await userEvent.click((await bar("Selected tokens")).getByRole("button", { name: "Delete" }));
  const question = within(await screen.findByRole("dialog", { name: "Delete 2 tokens?" }));
  expect((await question.findByText("Used in the last 24 hours")).closest("div")?.textContent).toContain("1 of 2");
});

test("users of an equal role are left out, and where none is left nothing can be pressed", async () => {
  const rows = [sampleUser({ id: 8, username: "mia" }), sampleUser({ id: 9, username: "boss", role: 10 })];
  const sent = stubCalls({ "GET /api/user/": rows, "POST /api/user/manage": { role: 1, status: DISABLED } });
  await renderPage(<UserListPage />, { address: "/user", texts: ["users", "tokens", "views", "bulk"] });
  await userEvent.click(await screen.findByRole("checkbox", { name: "Select boss" }));
  const named = async (name: string) => (await bar("Selected users")).findByRole("button", { name });
  expect(await named("Disable")).toHaveProperty("disabled", true);
  await userEvent.click(screen.getByRole("checkbox", { name: "Select mia" }));
  await userEvent.click(await named("Disable (1)"));
  await screen.findByText("1 row updated");
  expect(changing(sent).map(({ body }) => body)).toEqual([{ username: "mia", action: "disable" }]);
});
