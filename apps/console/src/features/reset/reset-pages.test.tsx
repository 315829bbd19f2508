import { MAIL_COUNTDOWN_SECONDS } from "@one-api/contract/accounts/user-constants";
import { act, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { currentUser, storeUser } from "../../lib/state/session.ts";
import { restoreStatus } from "../../lib/state/stored-status.ts";
import { renderPage } from "../../testing/render-page.tsx";
import { stubCalls } from "../../testing/stub-calls.ts";
import ResetConfirmPage from "./reset-confirm-page.tsx";
import ResetRequestPage from "./reset-request-page.tsx";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  vi.unstubAllGlobals();
  // Brings a clipboard.
  userEvent.setup();
});

const countdown = /^Resend in \d+ s$/;

test("[RESET-02] [RESET-06] [PERS-20] half a minute is counted down", () => expect(MAIL_COUNTDOWN_SECONDS).toBe(30));

test("[RESET-01] [RESET-02] [TEXT-53] a mail is sent to the address, and the next one half a minute later", async () => {
  const sent = stubCalls({});
  await renderPage(<ResetRequestPage />, { address: "/reset", texts: ["registration"] });
  await userEvent.click(screen.getByRole("button", { name: "Send reset link" }));
  expect(sent).toEqual([]);
  await userEvent.type(screen.getByRole("textbox", { name: "Email" }), "mia@example.com{Enter}");
  expect(await screen.findByText("Reset mail sent")).toBeDefined();
  expect(screen.getByRole("button", { name: countdown }).getAttribute("aria-disabled")).toBe("true");
  expect(sent.map(({ address }) => address)).toEqual(["/api/reset_password?email=mia%40example.com&turnstile="]);
});

test("where no link can be mailed, the page says so instead of taking an address", async () => {
  localStorage.setItem("status", JSON.stringify({ reset_enabled: false }));
  act(() => restoreStatus());
  onTestFinished(() => {
    localStorage.removeItem("status");
    act(() => restoreStatus());
  });
  await renderPage(<ResetRequestPage />, { address: "/reset", texts: ["registration"] });
  expect(screen.getByRole("alert").textContent).toContain("Ask your administrator");
  expect(screen.queryByRole("textbox")).toBeNull();
});

const link = "/user/reset?email=mia%40example.com&token=of-the-mail";

test("[RESET-03] [RESET-04] [RESET-05] the link's address is shown; the new password is shown and copied", async () => {
  const sent = stubCalls({ "POST /api/user/reset": "a-new-password" });
  await renderPage(<ResetConfirmPage />, { address: link, texts: ["registration"] });
  expect(screen.getByRole("textbox", { name: "Email" })).toHaveProperty("value", "mia@example.com");
  await userEvent.click(screen.getByRole("button", { name: "Set new password" }));
  expect(await screen.findByDisplayValue("a-new-password")).toBeDefined();
  expect(await navigator.clipboard.readText()).toBe("a-new-password");
  expect(sent.map(({ body }) => body)).toEqual([{ email: "mia@example.com", token: "of-the-mail" }]);
});

test("who was logged in is so no more, so that nothing leads away from the new password, which has the focus", async () => {
  storeUser({ id: 2, username: "mia", display_name: "Mia", role: 1, status: 1 });
  stubCalls({ "POST /api/user/reset": "a-new-password" });
  await renderPage(<ResetConfirmPage />, { address: link, texts: ["registration"] });
  await userEvent.click(screen.getByRole("button", { name: "Set new password" }));
  expect(document.activeElement).toBe(await screen.findByDisplayValue("a-new-password"));
  expect(currentUser()).toBeUndefined();
});

test("[RESET-06] who pressed once may press again after half a minute", async () => {
  const sent = stubCalls({ "POST /api/user/reset": new Error("This link does not work.") });
  await renderPage(<ResetConfirmPage />, { address: link, texts: ["registration"] });
  await userEvent.click(screen.getByRole("button", { name: "Set new password" }));
  expect((await screen.findAllByRole("alert"))[0]?.textContent).toContain("This link does not work.");
  expect(screen.getByRole("button", { name: countdown }).getAttribute("aria-disabled")).toBe("true");
  expect(sent).toHaveLength(1);
});
