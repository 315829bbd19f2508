import { act, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { formatTime } from "../../lib/format.ts";
import { restoreStatus } from "../../lib/state/stored-status.ts";
import { renderPage } from "../../testing/render-page.tsx";
import { stubCalls } from "../../testing/stub-calls.ts";
import RegisterPage from "./register-page.tsx";

function setStatus(status: Record<string, unknown>) {
  localStorage.setItem("status", JSON.stringify(status));
  act(() => restoreStatus());
}

beforeEach(() => {
  vi.unstubAllGlobals();
  setStatus({});
});

async function open(address = "/register", answers: Record<string, unknown> = {}) {
  const sent = stubCalls(answers);
  const view = await renderPage(<RegisterPage />, { address, texts: ["registration"] });
  const type = (label: string, text: string) => userEvent.type(screen.getByLabelText(label), text);
  const submit = () => userEvent.click(screen.getByRole("button", { name: "Register" }));
  return { sent, view, type, submit };
}

test("[REG-01] [REG-02] [REG-03] [REG-08] [REG-09] [REG-15] [REG-16] asks for name and password and says how long they may be", async () => {
  await open();
  const fields = ["Username", "Password", "Repeat password"].map((label) => screen.getByLabelText(label));
  expect(fields.map((field) => field.getAttribute("placeholder"))).toEqual([
    "Up to 12 characters",
    "8 to 20 characters",
    "8 to 20 characters",
  ]);
  expect(screen.getByRole("button", { name: "Register" })).toHaveProperty("type", "submit");
  expect(screen.getByRole("link", { name: "Back to login" }).getAttribute("href")).toBe("/login");
});

test("the password's rule is in sight while one types, and says when it is met; so does an equal repetition", async () => {
  const { type } = await open();
  expect(screen.queryByText("At least 8 characters")).toBeNull();
  await type("Password", "correct");
  expect(screen.getByText("At least 8 characters").dataset["met"]).toBe("false");
  await type("Password", " horse");
  expect(screen.getByText("At least 8 characters").dataset["met"]).toBe("true");
  await type("Repeat password", "correct hors");
  expect(screen.queryByText("The passwords match")).toBeNull();
  await type("Repeat password", "e");
  expect(screen.getByText("The passwords match")).toBeDefined();
});

test("[REG-04] [REG-05] [REG-06] address and code are asked for only where addresses are verified", async () => {
  const { view } = await open();
  const parts = () => [
    screen.queryByLabelText("Email") !== null,
    screen.queryByRole("button", { name: "Send code" }) !== null,
    screen.queryByLabelText("Verification code") !== null,
  ];
  expect(parts()).toEqual([false, false, false]);
  view.unmount();
  setStatus({ email_verification: true });
  await open();
  expect(parts()).toEqual([true, true, true]);
});

test("[REG-11] [REG-12] [ENT-114] an invite code is kept for a visit without one", async () => {
  const { view } = await open("/register?aff=Friend12");
  view.unmount();
  expect(localStorage.getItem("aff")).toBe("Friend12");
  const { sent, type, submit } = await open();
  await type("Username", "mia");
  await type("Password", "correct horse");
  await type("Repeat password", "correct horse");
  await submit();
  await waitFor(() => expect(sent.at(-1)).toMatchObject({ body: { aff_code: "Friend12" } }));
});

test("[REG-07] [REG-22] [REG-23] [REG-24] the human check's script is loaded where it is asked for, and draws the widget", async () => {
  const { view } = await open();
  const script = () => document.querySelector<HTMLScriptElement>("script[src*=turnstile]");
  const state = () => document.querySelector("[data-state]")?.getAttribute("data-state");
  expect([script(), state()]).toEqual([null, undefined]);
  view.unmount();
  setStatus({ turnstile_check: true, turnstile_site_key: "site" });
  onTestFinished(() => script()?.remove());
  await open();
  expect(script()?.src).toBe("https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit");
  expect(state()).toBe("loading");
  act(() => void script()?.dispatchEvent(new Event("error")));
  expect([script(), state()]).toEqual([null, "unloaded"]);
  await open();
  const render = vi.fn<(element: HTMLElement, options: Record<string, unknown>) => string>(() => "widget");
  vi.stubGlobal("turnstile", { render, reset: () => undefined, remove: () => undefined });
  act(() => void script()?.dispatchEvent(new Event("load")));
  expect([...document.querySelectorAll("[data-state]")].at(-1)?.getAttribute("data-state")).toBe("ready");
  const options = { sitekey: "site", action: "register", theme: "auto", size: "flexible" };
  expect(render.mock.lastCall?.[1]).toMatchObject(options);
});

test("[REG-10] [REG-12] [TEXT-37] sends the invite code of the address and leads to the login", async () => {
  const { sent, view, type, submit } = await open("/register?aff=Friend12");
  await type("Username", "mia");
  await type("Password", "correct horse");
  await type("Repeat password", "correct horse");
  expect(localStorage.getItem("aff")).toBe("Friend12");
  await submit();
  await waitFor(() => expect(view.router.state.location.pathname).toBe("/login"));
  expect(sent.at(-1)).toMatchObject({
    method: "POST",
    address: "/api/user/register?turnstile=",
    body: { username: "mia", password: "correct horse", password2: "correct horse", aff_code: "Friend12" },
  });
  expect(screen.getByText("Registration successful!")).toBeDefined();
});

test("an invitation's link tells who invites, until when and with which balance, and its code goes with the rest", async () => {
  const { sent, type, submit } = await open("/register?invitation=Code24", {
    "GET /api/user/invitation": { invited_by: "Root User", expires_at: 1_800_000_000, quota: 2_500_000 },
  });
  expect(await screen.findByText("Invited by Root User")).toBeDefined();
  expect(screen.getByText(formatTime(1_800_000_000))).toBeDefined();
  expect(screen.getByText("You start with $5.00 of balance.")).toBeDefined();
  expect(screen.queryByLabelText("Invitation")).toBeNull();
  await type("Username", "mia");
  await type("Password", "correct horse");
  await type("Repeat password", "correct horse");
  await submit();
  await waitFor(() => expect(sent.at(-1)).toMatchObject({ body: { invitation: "Code24" } }));
});

test("where sign-up is by invitation only, a code is asked for; a wrong one of the link says so and can be replaced", async () => {
  const { view } = await open();
  expect(screen.queryByLabelText("Invitation")).toBeNull();
  view.unmount();
  setStatus({ invitation_required: true });
  const { sent, type, submit } = await open("/register?invitation=Code24", {
    "GET /api/user/invitation": new Error("This invitation was used or has expired."),
  });
  expect(await screen.findByText(/was used or has expired/)).toBeDefined();
  expect(screen.getByText("Sign-up is by invitation only.")).toBeDefined();
  await type("Invitation", "x");
  await type("Username", "mia");
  await type("Password", "correct horse");
  await type("Repeat password", "correct horse");
  await submit();
  await waitFor(() => expect(sent.at(-1)).toMatchObject({ body: { invitation: "Code24x" } }));
});

test("[REG-13] [REG-14] [REG-18] [TEXT-20] [TEXT-21] sends nothing without username and password, nor what is too short or differs", async () => {
  const { sent, type, submit } = await open();
  await submit();
  expect(await screen.findByText("Username is required.")).toBeDefined();
  await type("Username", "mia");
  expect(screen.queryByText("Username is required.")).toBeNull();
  for (const password of ["", "1234567"]) {
    if (password !== "") await type("Password", password);
    expect(screen.queryByText("Password length must not be less than 8 characters!")).toBeNull();
    await submit();
    expect(await screen.findByText("Password length must not be less than 8 characters!")).toBeDefined();
  }
  await type("Password", "8");
  await type("Repeat password", "12345679");
  await submit();
  expect(await screen.findByText("The two passwords entered do not match")).toBeDefined();
  expect(sent).toEqual([]);
});

test("[REG-04] [REG-21] [TEXT-36] asks for a code where the system wants one, and counts down after it", async () => {
  setStatus({ email_verification: true });
  const { sent, type } = await open();
  await userEvent.click(screen.getByRole("button", { name: "Send code" }));
  expect(sent).toEqual([]);
  await type("Email", "mia@example.com");
  await userEvent.click(screen.getByRole("button", { name: "Send code" }));
  expect(await screen.findByText("Verification code sent successfully, please check your email!")).toBeDefined();
  expect(sent.map(({ address }) => address)).toEqual(["/api/verification?email=mia%40example.com&turnstile="]);
  expect(screen.getByRole("button", { name: /Resend in \d+ s/ }).getAttribute("aria-disabled")).toBe("true");
});

test("[REG-19] [REG-20] [REG-25] [TEXT-22] waits for the human check and hands its answer over once", async () => {
  let answer = (_token: string) => undefined as void;
  const turnstile = {
    render: (_element: HTMLElement, { callback }: { callback: (token: string) => void }) => {
      answer = callback;
      return "widget";
    },
    reset: () => undefined,
    remove: () => undefined,
  };
  vi.stubGlobal("turnstile", turnstile);
  setStatus({ turnstile_check: true, turnstile_site_key: "site", email_verification: true });
  const { sent, type } = await open();
  await type("Email", "mia@example.com");
  await userEvent.click(screen.getByRole("button", { name: "Send code" }));
  expect(
    await screen.findByText("Please try again in a few seconds, Turnstile is checking the user environment!"),
  ).toBeDefined();
  expect(sent).toEqual([]);
  act(() => answer("human-1"));
  await userEvent.click(screen.getByRole("button", { name: "Send code" }));
  await waitFor(() => expect(sent.map(({ address }) => address)).toHaveLength(1));
  expect(sent[0]?.address).toContain("turnstile=human-1");
});
