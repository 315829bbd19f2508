import { notifications } from "@mantine/notifications";
import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { formatDate } from "../../lib/format.ts";
import { clearUser, storeUser } from "../../lib/state/session.ts";
import { restoreStatus } from "../../lib/state/stored-status.ts";
import { renderPage } from "../../testing/render-page.tsx";
import { stubCalls } from "../../testing/stub-calls.ts";
import { sampleUser } from "../users/testing/sample-user.ts";
import TopUpPage from "./topup-page.tsx";

const SELF = "GET /api/user/self";
const REDEEM = "POST /api/user/topup";
const render = () => renderPage(<TopUpPage />, { address: "/topup", texts: ["topup", "refusals"] });
const redeem = async (code: string) => {
  if (code !== "") await userEvent.type(await screen.findByLabelText("Redemption code"), code);
  await userEvent.click(await screen.findByRole("button", { name: "Redeem" }));
};
const changing = (sent: ReturnType<typeof stubCalls>) => sent.filter((call) => call.method !== "GET");
afterEach(() => {
  notifications.clean();
  localStorage.clear();
  clearUser();
  restoreStatus();
  vi.restoreAllMocks();
});

test("[TOPUP-01..03] [TOPUP-05] [TEXT-52] a code is sent as key, and the quota that remains is shown anew", async () => {
  const answers: Record<string, unknown> = { [SELF]: sampleUser({ quota: 500_000 }), [REDEEM]: 1_000_000 };
  const sent = stubCalls(answers);
  await render();
  expect(await screen.findByText("$1.00")).toBeTruthy();
  answers[SELF] = sampleUser({ quota: 1_500_000 });
  await redeem(" code-1 ");
  expect(await screen.findByText("Top-up success: $2.00 added")).toBeTruthy();
  expect(changing(sent)).toMatchObject([{ address: "/api/user/topup", body: { key: "code-1" } }]);
  expect(await screen.findByText("$3.00")).toBeTruthy();
  expect(screen.getByLabelText("Redemption code")).toHaveProperty("value", "");
});

test("[TEXT-32] without a code a warning asks for one, and nothing is sent", async () => {
  const sent = stubCalls({ [SELF]: sampleUser() });
  await render();
  await redeem("");
  expect(await screen.findByText("Please enter the top-up code!")).toBeTruthy();
  expect(changing(sent)).toEqual([]);
});

test("[TEXT-01] a refusal is shown, and the code stays to be corrected", async () => {
  stubCalls({ [SELF]: sampleUser(), [REDEEM]: new Error("This redemption code was already used.") });
  await render();
  await redeem("code-1");
  await waitFor(() => expect(screen.getAllByText("This redemption code was already used.")).toHaveLength(2));
  expect(screen.getByLabelText("Redemption code")).toHaveProperty("value", "code-1");
});

test("[TEXT-27] what fails on the way says: request failed", async () => {
  stubCalls({ [SELF]: sampleUser() });
  await render();
  await screen.findByText("$10.00");
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("no network")));
  await redeem("code-1");
  expect(await screen.findByText("Request failed")).toBeTruthy();
});

test("the page tells how long the balance lasts, and lists the newest top-ups", async () => {
  const now = Math.floor(Date.now() / 1_000);
  const day = { quota: 250_000, requests: 10 };
  const topUp = { id: 41, type: 1, created_at: now, event: { code: "code-redeemed", values: { name: "Spring" } } };
  stubCalls({
    [SELF]: sampleUser({ quota: 3_500_000 }),
    "GET /api/log/self/?type=1&size=10": [topUp],
    "GET /api/dashboard/self": {
      edges: Array.from({ length: 31 }, (_edge, index) => now - (30 - index) * 86_400),
      parts: Array.from({ length: 30 }, () => day),
      total: { requests: 300, quota: 7_500_000 },
      before: null,
      rows: [],
      rest: null,
      is_complete: true,
    },
  });
  await render();
  // $7.00 at $0.50 a day.
  expect(await screen.findByText(`Lasts until about ${formatDate(now + 14 * 86_400)}`)).toBeTruthy();
  expect(screen.getByText("$15.00")).toBeTruthy();
  expect(await screen.findByRole("region", { name: "Spend over time" })).toBeTruthy();
  const newest = within(await screen.findByRole("region", { name: "Newest top-ups" }));
  expect(newest.getByText(/Spring/)).toBeTruthy();
  expect(newest.getByRole("link", { name: "View in Logs" }).getAttribute("href")).toBe("/log?type=1");
});

test("[TOPUP-04] [TEXT-33] the Top up button opens the link, or says that none is set", async () => {
  stubCalls({ [SELF]: sampleUser() });
  const { unmount } = await render();
  const button = await screen.findByRole("button", { name: "Top up", description: /No shop is set up/ });
  expect(screen.getByText("Redeem a code to add balance.")).toBeTruthy();
  await userEvent.click(button);
  expect(await screen.findByText(/super administrator has not set a top-up link/)).toBeTruthy();
  expect(screen.getByText(/No shop is set up/)).toBeTruthy();
  expect(screen.queryByRole("link", { name: "Set a shop link" })).toBeNull();
  unmount();
  localStorage.setItem("top_up_link", "https://shop.example/buy");
  restoreStatus();
  await render();
  const link = await screen.findByRole("link", { name: "Top up" });
  expect([link.getAttribute("href"), link.getAttribute("target")]).toEqual(["https://shop.example/buy", "_blank"]);
  expect(link.getAttribute("rel")).toContain("noopener");
  expect(screen.getByText(/Opens the shop in a new tab/)).toBeTruthy();
  expect(screen.getByText("Redeem a code or buy one.")).toBeTruthy();
});

test("administrators are led to where the link to a shop is set", async () => {
  storeUser({ id: 2, username: "ada", display_name: "", role: 10, status: 1 });
  stubCalls({ [SELF]: sampleUser() });
  await render();
  const link = await screen.findByRole("link", { name: "Set a shop link" });
  expect(link.getAttribute("href")).toBe("/setting?option=TopUpLink");
});
