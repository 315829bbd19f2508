import { act, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { currentUser } from "../../lib/state/session.ts";
import { restoreStatus } from "../../lib/state/stored-status.ts";
import { toastError } from "../../lib/toasts/toasts.ts";
import { renderPage } from "../../testing/render-page.tsx";
import { stubCalls } from "../../testing/stub-calls.ts";
import LoginPage from "./login-page.tsx";

const ann = { id: 2, username: "ann", display_name: "Ann", role: 1, status: 1 };

beforeEach(() => vi.unstubAllGlobals());

async function open(status: Record<string, unknown> = {}, user: Record<string, unknown> = ann) {
  localStorage.setItem("status", JSON.stringify(status));
  act(() => restoreStatus());
  const sent = stubCalls({ "POST /api/user/login": user, "GET /api/oauth/wechat": user });
  const { router } = await renderPage(<LoginPage />, { address: "/login", texts: ["login", "registration"] });
  const posted = () => sent.filter(({ address }) => /login|wechat/.test(address));
  return { posted, addressNow: () => router.state.location.pathname };
}

async function logIn(username: string, password: string) {
  await userEvent.type(screen.getByRole("textbox", { name: "Username or email" }), username);
  await userEvent.type(screen.getByLabelText("Password"), `${password}{Enter}`);
}

test("[LOGIN-01] [LOGIN-02] [LOGIN-12] [TEXT-38] username and password are sent, and the console says that one is in", async () => {
  const { posted } = await open();
  await logIn("ann", "long enough");
  expect(await screen.findByText("Login successful!")).toBeDefined();
  expect(posted()).toEqual([
    { method: "POST", address: "/api/user/login", body: { username: "ann", password: "long enough" } },
  ]);
});

test("what failed before is not told any more once one is in", async () => {
  await open();
  act(() => toastError("Wrong username or password."));
  expect(await screen.findByText("Wrong username or password.")).toBeDefined();
  await logIn("ann", "long enough");
  await waitFor(() => expect(screen.queryByText("Wrong username or password.")).toBeNull());
  expect(await screen.findByText("Login successful!")).toBeDefined();
});

test("[TEXT-15] [LOGIN-15] root with the default password is warned, and led to a new one", async () => {
  const { addressNow } = await open({}, { ...ann, username: "root", role: 100 });
  await logIn("root", "123456");
  expect(await screen.findByText("Please change the default password immediately!")).toBeDefined();
  expect(addressNow()).toBe("/user/edit");
});

test("[LOGIN-03] [LOGIN-04] links lead to who has no password and to who has no account", async () => {
  await open();
  expect(screen.getByRole("link", { name: "Forgot your password?" }).getAttribute("href")).toBe("/reset");
  expect(screen.getByRole("link", { name: "Create an account" }).getAttribute("href")).toBe("/register");
});

test.each([
  ["[LOGIN-05] GitHub", { github_oauth: true }, ["Log in with GitHub"]],
  ["[LOGIN-06] WeChat", { wechat_login: true }, ["Log in with WeChat"]],
  ["[LOGIN-07] Lark", { lark_client_id: "lark" }, ["Log in with Lark"]],
  ["nothing else", {}, []],
])("%s has a round button only while it is on", async (_name, status, buttons) => {
  await open(status);
  const shown = screen.queryAllByRole("button", { name: /^Log in with / });
  expect(shown.map((button) => button.ariaLabel)).toEqual(buttons);
  for (const button of shown) expect(button.style.getPropertyValue("--ai-radius")).toBe("var(--mantine-radius-xl)");
});

test("[LOGIN-08] [LOGIN-09] [LOGIN-10] [LOGIN-16] WeChat's button opens the account's image and a field for its code, which leads home", async () => {
  const { posted, addressNow } = await open({ wechat_login: true, wechat_qrcode: "https://example.com/qr.png" });
  await userEvent.click(screen.getByRole("button", { name: "Log in with WeChat" }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.getByRole("img").getAttribute("src")).toBe("https://example.com/qr.png");
  await userEvent.type(dialog.getByRole("textbox", { name: "Verification code" }), "123456{Enter}");
  await waitFor(() => expect(addressNow()).toBe("/"));
  expect(posted().map(({ address }) => address)).toEqual(["/api/oauth/wechat?code=123456&invitation="]);
  expect(currentUser()?.username).toBe("ann");
});

test("[LOGIN-12] a login that failed too often brings the human check, whose answer goes with the next one", async () => {
  let answer = (_token: string) => undefined as void;
  const render = (_element: HTMLElement, { callback }: { callback: (token: string) => void }) => {
    answer = callback;
    return "widget";
  };
  vi.stubGlobal("turnstile", { render, reset: () => undefined, remove: () => undefined });
  await open({ turnstile_check: true, turnstile_site_key: "site" });
  const sent: string[] = [];
  vi.stubGlobal("fetch", async (address: string) => {
    sent.push(address);
    if (address.includes("turnstile=")) return Response.json({ success: true, message: "", data: ann });
    return Response.json({ success: false, message: "missing", code: "human-check-missing" }, { status: 400 });
  });
  expect(document.querySelector("[data-state]"), "not before it is asked").toBeNull();
  await logIn("ann", "long enough");
  expect(await screen.findByText(/Turnstile is checking the user environment/)).toBeDefined();
  await waitFor(() => expect(document.querySelector("[data-state=ready]")).not.toBeNull());
  act(() => answer("human-1"));
  await userEvent.click(screen.getByRole("button", { name: "Log in" }));
  expect(await screen.findByText("Login successful!")).toBeDefined();
  expect(sent.filter((address) => address.includes("login"))).toEqual([
    "/api/user/login",
    "/api/user/login?turnstile=human-1",
  ]);
});
