import { act, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { currentUser, storeUser } from "../../../lib/state/session.ts";
import { restoreStatus } from "../../../lib/state/stored-status.ts";
import { renderPage } from "../../../testing/render-page.tsx";
import { stubCalls } from "../../../testing/stub-calls.ts";
import { PersonalSettings } from "./personal-settings.tsx";

const mia = { id: 2, username: "mia", display_name: "Mia", role: 1, status: 1 };
const self = { ...mia, email: "", group: "", quota: 0, used_quota: 0, request_count: 0 };

beforeEach(() => {
  vi.unstubAllGlobals();
  // Brings a clipboard.
  userEvent.setup();
  storeUser(mia);
});

async function open(
  status: Record<string, unknown> = {},
  bound: Record<string, unknown> = {},
  more: Record<string, unknown> = {},
  section = "account",
) {
  localStorage.setItem("status", JSON.stringify(status));
  act(() => restoreStatus());
  const sent = stubCalls({
    "GET /api/user/self": { ...self, github_id: "", wechat_id: "", lark_id: "", ...bound },
    "GET /api/user/token": "new-access-token",
    "GET /api/user/aff": "Friend12",
    "GET /api/user/factors": {
      totp_since: 0,
      recovery_codes_left: 0,
      passkeys: [],
      proof: ["password"],
      is_required: false,
    },
    "GET /api/user/sessions": [],
    "GET /api/user/token/state": { is_set: false, created_at: 0, last_used_at: 0 },
    "DELETE /api/user/self/binding/github": null,
    ...more,
  });
  const view = await renderPage(<PersonalSettings section={section} />, {
    address: "/setting",
    texts: ["settings", "registration", "security"],
  });
  return { sent: () => sent.map(({ method, address }) => `${method} ${address}`), view };
}

test("[PERS-02] [PERS-03] [PERS-04] [TEXT-39] a new system access token is shown and copied", async () => {
  await open();
  await userEvent.click(screen.getByRole("button", { name: "Generate system access token" }));
  expect(document.activeElement).toBe(await screen.findByDisplayValue("new-access-token"));
  expect(await screen.findByText("Token reset and copied")).toBeDefined();
  expect(await navigator.clipboard.readText()).toBe("new-access-token");
});

test("[PERS-02] a system access token that there is already is replaced only after a question", async () => {
  const state = { is_set: true, created_at: 1_700_000_000, last_used_at: 0 };
  const { sent } = await open({}, {}, { "GET /api/user/token/state": state });
  await screen.findByRole("button", { name: "Revoke" });
  await userEvent.click(screen.getByRole("button", { name: "Generate system access token" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Replace the system access token?" }));
  await userEvent.click(dialog.getByRole("button", { name: "Cancel" }));
  expect(sent()).not.toContain("GET /api/user/token");
  await userEvent.click(screen.getByRole("button", { name: "Generate system access token" }));
  await userEvent.click(await screen.findByRole("button", { name: "Replace" }));
  expect(await screen.findByDisplayValue("new-access-token")).toBeDefined();
});

test("[PERS-06] [PERS-07] [TEXT-40] the invite link is copied", async () => {
  await open();
  await userEvent.click(screen.getByRole("button", { name: "Copy invite link" }));
  expect(await screen.findByText("Invite link copied")).toBeDefined();
  expect(await navigator.clipboard.readText()).toBe(`${window.location.origin}/register?aff=Friend12`);
});

test("[PERS-11] [PERS-15] [PERS-16] only what is switched on can be bound", async () => {
  const { view } = await open();
  const names = () => screen.getAllByRole("button", { name: /^Link / }).map((button) => button.ariaLabel);
  expect(names()).toEqual(["Link Email"]);
  view.unmount();
  await open({ wechat_login: true, github_oauth: true, lark_client_id: "lark" });
  expect(names()).toEqual(["Link Email", "Link WeChat", "Link GitHub", "Link Lark"]);
});

test("what is bound is unbound after a question, also where its login is off", async () => {
  const { sent } = await open({}, { github_id: "501" });
  await userEvent.click(await screen.findByRole("button", { name: "Unlink GitHub" }));
  await userEvent.click(await screen.findByRole("button", { name: "Unlink" }));
  expect(await screen.findByText("GitHub unlinked")).toBeDefined();
  expect(sent()).toContain("DELETE /api/user/self/binding/github");
  expect(screen.queryByRole("button", { name: "Bind GitHub" })).toBeNull();
});

test("a binding at another address than the one set now says that it lets nobody in, and can be made again", async () => {
  const bound = { github_id: "https://old.example 501", outdated_bindings: ["github"] };
  await open({ github_oauth: true }, bound);
  expect(await screen.findByText(/^Linked at an earlier address/)).toBeDefined();
  expect(screen.getByRole("button", { name: "Change GitHub" })).toBeDefined();
});

test("[PERS-05] [PERS-08] it says what the access token is for, and leads to the profile", async () => {
  await open();
  expect(screen.getByText(/^For the management API, not for calling models\./)).toBeDefined();
  expect(screen.getByRole("link", { name: "Edit profile" }).getAttribute("href")).toBe("/user/edit");
});

test("[PERS-12] [PERS-13] [PERS-14] [TEXT-41] WeChat is bound with the code that its account sends", async () => {
  const { sent } = await open({ wechat_login: true, wechat_qrcode: "https://example.com/qr.png" });
  await userEvent.click(screen.getByRole("button", { name: "Link WeChat" }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.getByRole("img").getAttribute("src")).toBe("https://example.com/qr.png");
  expect(dialog.getByText(/is valid for 3 minutes/)).toBeDefined();
  const bindings = () => sent().filter((call) => call.includes("wechat"));
  await userEvent.click(dialog.getByRole("button", { name: "Link" }));
  expect(bindings()).toEqual([]);
  await userEvent.type(dialog.getByRole("textbox", { name: "Verification code" }), " 123456 {Enter}");
  expect(await screen.findByText("Bound successfully")).toBeDefined();
  expect(bindings()).toEqual(["GET /api/oauth/wechat/bind?code=123456"]);
});

test("[PERS-17] [PERS-18] [PERS-20] an address is bound with the code that is mailed to it, and the next mail waits", async () => {
  const { sent } = await open();
  await userEvent.click(screen.getByRole("button", { name: "Link Email" }));
  const dialog = within(await screen.findByRole("dialog"));
  await userEvent.type(dialog.getByRole("textbox", { name: "Email" }), "mia@example.com");
  await userEvent.click(dialog.getByRole("button", { name: "Send code" }));
  expect((await dialog.findByRole("button", { name: /^Resend in \d+ s$/ })).getAttribute("aria-disabled")).toBe("true");
  await userEvent.type(dialog.getByRole("textbox", { name: "Verification code" }), "123456{Enter}");
  expect(await screen.findByText("Bound successfully")).toBeDefined();
  expect(sent().filter((call) => call.includes("mia"))).toEqual([
    "GET /api/verification?email=mia%40example.com&turnstile=",
    "GET /api/oauth/email/bind?email=mia%40example.com&code=123456",
  ]);
});

test("[PERS-19] [PERS-22] with the human check on a code waits for it, and says so", async () => {
  const render = vi.fn<() => string>(() => "widget");
  vi.stubGlobal("turnstile", { render, reset: () => undefined, remove: () => undefined });
  const { sent } = await open({ turnstile_check: true, turnstile_site_key: "site" });
  await userEvent.click(screen.getByRole("button", { name: "Link Email" }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(render).toHaveBeenCalledOnce();
  await userEvent.type(dialog.getByRole("textbox", { name: "Email" }), "mia@example.com");
  await userEvent.click(dialog.getByRole("button", { name: "Send code" }));
  expect(await screen.findByText(/^Please try again in a few seconds, Turnstile is checking/)).toBeDefined();
  expect(sent().filter((call) => call.includes("mia"))).toEqual([]);
});

test("[PERS-21] [PERS-23] empty fields of the e-mail binding send nothing", async () => {
  const { sent } = await open();
  await userEvent.click(screen.getByRole("button", { name: "Link Email" }));
  await userEvent.click(await screen.findByRole("button", { name: "Send code" }));
  await userEvent.click(screen.getByRole("button", { name: "Link" }));
  expect(sent().filter((call) => !/\/(self|factors|sessions|state)$/.test(call))).toEqual([]);
});

test("[PERS-09] [PERS-10] [TEXT-34] [TEXT-42] the account is deleted only when its name is typed", async () => {
  const { sent, view } = await open();
  await userEvent.click(screen.getByRole("button", { name: "Delete account" }));
  const field = await screen.findByRole("textbox", { name: "Type mia to confirm" });
  expect(screen.getByText(/Enter account name to confirm deletion: mia/)).toBeDefined();
  await userEvent.type(field, "mi{Enter}");
  expect(sent()).not.toContain("DELETE /api/user/self");
  await userEvent.type(field, "a{Enter}");
  await waitFor(() => expect(view.router.state.location.pathname).toBe("/login"));
  expect(sent()).toContain("DELETE /api/user/self");
  expect(screen.getByText("Account deleted")).toBeDefined();
  expect(currentUser()).toBeUndefined();
});

test("the dialogs of setting up an authenticator app give the focus back to their button, after a wrong code too", async () => {
  await open(
    {},
    {},
    {
      "POST /api/user/factors/totp/begin": { uri: "otpauth://totp/One?secret=ABC", manual_entry: "ABC" },
      "POST /api/user/factors/totp": new Error("The code is wrong."),
    },
    "security",
  );
  const button = await screen.findByRole("button", { name: "Set up" });
  await waitFor(() => expect(button).toHaveProperty("disabled", false));
  await userEvent.click(button);
  await userEvent.type(await screen.findByLabelText("Your password"), "word{Enter}");
  await userEvent.type(await screen.findByLabelText("Code from the app"), "000000{Enter}");
  await waitFor(() => expect(screen.getAllByText("The code is wrong.").length).toBeGreaterThan(0));
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(button));
});
