import { act, screen, waitFor } from "@testing-library/react";
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

async function open(status: Record<string, unknown> = {}, bound: Record<string, unknown> = {}) {
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
  });
  const view = await renderPage(<PersonalSettings />, { address: "/setting", texts: ["settings", "registration"] });
  return { sent: () => sent.map(({ method, address }) => `${method} ${address}`), view };
}

test("[PERS-02] [PERS-03] [PERS-04] [TEXT-39] a new system access token is shown and copied", async () => {
  await open();
  await userEvent.click(screen.getByRole("button", { name: "Generate a system access token" }));
  expect(await screen.findByDisplayValue("new-access-token")).toBeDefined();
  expect(await screen.findByText("Token reset and copied")).toBeDefined();
  expect(await navigator.clipboard.readText()).toBe("new-access-token");
});

test("[PERS-06] [PERS-07] [TEXT-40] the invite link is copied", async () => {
  await open();
  await userEvent.click(screen.getByRole("button", { name: "Copy invite link" }));
  expect(await screen.findByText("Invite link copied")).toBeDefined();
  expect(await navigator.clipboard.readText()).toBe(`${window.location.origin}/register?aff=Friend12`);
});

test("[PERS-11] [PERS-15] [PERS-16] only what is switched on can be bound", async () => {
  const { view } = await open();
  const names = () => screen.getAllByRole("button", { name: /^Bind / }).map((button) => button.ariaLabel);
  expect(names()).toEqual(["Bind Email"]);
  view.unmount();
  await open({ wechat_login: true, github_oauth: true, lark_client_id: "lark" });
  expect(names()).toEqual(["Bind Email", "Bind WeChat", "Bind GitHub", "Bind Lark"]);
});

test("what is bound is unbound after a question, also where its login is off", async () => {
  const { sent } = await open({}, { github_id: "501" });
  await userEvent.click(await screen.findByRole("button", { name: "Unbind GitHub" }));
  await userEvent.click(await screen.findByRole("button", { name: "Unbind" }));
  expect(await screen.findByText("GitHub is unbound")).toBeDefined();
  expect(sent()).toContain("DELETE /api/user/self/binding/github");
  expect(screen.queryByRole("button", { name: "Bind GitHub" })).toBeNull();
});

test("a binding at another address than the one set now says that it lets nobody in, and can be made again", async () => {
  const bound = { github_id: "https://old.example 501", outdated_bindings: ["github"] };
  await open({ github_oauth: true }, bound);
  expect(await screen.findByText(/^Bound at another address than the one set now/)).toBeDefined();
  expect(screen.getByRole("button", { name: "Bind GitHub" })).toBeDefined();
});

test("[PERS-21] [PERS-23] empty fields of the e-mail binding send nothing", async () => {
  const { sent } = await open();
  await userEvent.click(screen.getByRole("button", { name: "Bind Email" }));
  await userEvent.click(await screen.findByRole("button", { name: "Get code" }));
  await userEvent.click(screen.getByRole("button", { name: "Bind" }));
  expect(sent().filter((call) => !/\/(self|factors|sessions|state)$/.test(call))).toEqual([]);
});

test("[PERS-09] [PERS-10] [TEXT-42] the account is deleted only when its name is typed", async () => {
  const { sent, view } = await open();
  await userEvent.click(screen.getByRole("button", { name: "Delete account" }));
  const field = await screen.findByRole("textbox", { name: "Type mia to confirm" });
  await userEvent.type(field, "mi{Enter}");
  expect(sent()).not.toContain("DELETE /api/user/self");
  await userEvent.type(field, "a{Enter}");
  await waitFor(() => expect(view.router.state.location.pathname).toBe("/login"));
  expect(sent()).toContain("DELETE /api/user/self");
  expect(screen.getByText("Account deleted")).toBeDefined();
  expect(currentUser()).toBeUndefined();
});
