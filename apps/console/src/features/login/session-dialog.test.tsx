import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { createMemoryHistory, RouterProvider } from "@tanstack/react-router";
import { act, render, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { ConfirmProvider } from "../../components/dialogs/confirm.tsx";
import { queryClient } from "../../lib/api/query-client.ts";
import { restoreUser, storeUser } from "../../lib/state/session.ts";
import { createConsoleRouter } from "../../router.tsx";
import { sampleToken } from "../tokens/testing/sample-token.ts";
import { accepted, refused, stubApi } from "../../testing/stub-api.ts";

const ann = { id: 2, username: "ann", display_name: "Ann", role: 1, status: 1 };
const bob = { ...ann, id: 3, username: "bob", display_name: "Bob" };
const notLoggedIn = { status: 401, body: { success: false, message: "Log in first.", code: "not-logged-in" } };
const self = {
  ...ann,
  email: "",
  group: "",
  quota: 0,
  used_quota: 0,
  request_count: 0,
  github_id: "",
  wechat_id: "",
  lark_id: "",
};

let router: ReturnType<typeof createConsoleRouter>;
let isSessionAlive: boolean;

/** A server that knows the session until it ends; only the own profile is behind the login here. */
function serve(loginAnswer: ReturnType<typeof refused> = accepted(ann), secondAnswer = refused("none")) {
  const enter = (answer: ReturnType<typeof refused>) => {
    isSessionAlive = answer.body !== undefined && JSON.stringify(answer.body).includes('"success":true');
    return answer;
  };
  return stubApi({
    "GET /api/status": refused("none"),
    "GET /api/notice": accepted(""),
    "GET /api/user/self": () => (isSessionAlive ? accepted(self) : notLoggedIn),
    "PUT /api/user/self": () => (isSessionAlive ? accepted(null) : notLoggedIn),
    "GET /api/token/": () => (isSessionAlive ? { ...accepted([]), headers: { "x-total-count": "0" } } : notLoggedIn),
    "GET /api/token/search": () =>
      isSessionAlive ? { ...accepted([sampleToken()]), headers: { "x-total-count": "1" } } : notLoggedIn,
    "PUT /api/token/": notLoggedIn,
    "POST /api/user/topup": notLoggedIn,
    "POST /api/user/login": () => enter(loginAnswer),
    "POST /api/user/login/code": () => enter(secondAnswer),
  });
}

async function openPage(address: string) {
  router = createConsoleRouter(createMemoryHistory({ initialEntries: [address] }));
  await router.load();
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={queryClient}>
        <ConfirmProvider>
          <RouterProvider router={router} />
        </ConfirmProvider>
      </QueryClientProvider>
    </MantineProvider>,
  );
}

async function openProfile() {
  await openPage("/user/edit");
  const field = await screen.findByLabelText("Display name");
  await userEvent.clear(field);
  await userEvent.type(field, "Ann of the long form");
}

async function save() {
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  return within(await screen.findByRole("dialog", { name: "Log in to continue" }));
}

const addressNow = () => router.state.location.href;
const storedUser = () => localStorage.getItem("user");

function otherTab(user: object | undefined): void {
  if (user === undefined) localStorage.removeItem("user");
  else localStorage.setItem("user", JSON.stringify(user));
  act(() => void window.dispatchEvent(new StorageEvent("storage", { key: "user" })));
}

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  queryClient.clear();
  restoreUser();
  storeUser(ann);
  isSessionAlive = true;
});

test("a save that meets an ended session goes on after a login over the page, with what was typed", async () => {
  const sent = serve();
  await openProfile();
  isSessionAlive = false;
  const dialog = await save();
  expect(dialog.getByLabelText<HTMLInputElement>("Username or email").value).toBe("ann");
  await userEvent.type(dialog.getByLabelText("Password"), "secret word{Enter}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  const saves = sent.filter(({ method }) => method === "PUT");
  expect(saves.map(({ body }) => body)).toEqual([saves[0]?.body, saves[0]?.body]);
  expect(saves[0]?.body).toMatchObject({ display_name: "Ann of the long form" });
  expect(addressNow()).toBe("/user/edit");
});

test("an account with a second factor is asked for it over the page, and what was typed goes on", async () => {
  const needed = { success: false, message: "more", code: "second-factor-needed", values: { ways: "totp" } };
  const sent = serve({ body: needed }, accepted(ann));
  await openProfile();
  isSessionAlive = false;
  const dialog = await save();
  await userEvent.type(dialog.getByLabelText("Password"), "secret word{Enter}");
  const second = within(await screen.findByRole("dialog", { name: "Two-step login" }));
  await userEvent.type(await second.findByLabelText("Code"), "123 456{Enter}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await waitFor(() => expect(sent.filter(({ method }) => method === "PUT")).toHaveLength(2));
  expect(sent.find(({ address }) => address === "/api/user/login/code")?.body).toEqual({ code: "123 456" });
  expect(screen.queryByText("Complete two-step login to continue.")).toBeNull();
});

test("a wrong password is said in the dialog, and nothing is given up", async () => {
  serve({ body: { success: false, message: "wrong", code: "wrong-credentials" } });
  await openProfile();
  isSessionAlive = false;
  const dialog = await save();
  expect(dialog.queryByRole("alert")).toBeNull();
  await userEvent.type(dialog.getByLabelText("Password"), "no{Enter}");
  expect((await dialog.findByRole("alert")).textContent).toBe("Wrong username or password.");
  expect(dialog.getByLabelText<HTMLInputElement>("Password").value).toBe("no");
  expect(screen.getByLabelText<HTMLInputElement>("Display name").value).toBe("Ann of the long form");
});

test("[TEXT-02] giving up leads to the login, which says why", async () => {
  serve();
  await openProfile();
  isSessionAlive = false;
  const dialog = await save();
  const [leave] = dialog.getAllByRole("button", { name: "Discard and leave" });
  if (leave !== undefined) await userEvent.click(leave);
  await waitFor(() => expect(addressNow()).toBe("/login?expired=true"));
  expect(storedUser()).toBeNull();
});

test("[TEXT-02] where nothing was typed an action that meets an ended session leads to the login, and the login back", async () => {
  serve();
  await openPage("/token?keyword=abc");
  const more = await screen.findByRole("button", { name: "More actions for Main" });
  isSessionAlive = false;
  await userEvent.click(more);
  await userEvent.click(await screen.findByRole("menuitem", { name: "Disable" }));
  await waitFor(() => expect(addressNow()).toBe("/login?expired=true"));
  expect(await screen.findByText("Not logged in or login expired, please log in again!")).toBeTruthy();
  expect(screen.queryByRole("dialog")).toBeNull();
  await userEvent.type(screen.getByLabelText("Username or email"), "ann");
  await userEvent.type(screen.getByLabelText("Password"), "secret word{Enter}");
  await waitFor(() => expect(addressNow()).toBe("/token?keyword=abc"));
});

test("a code that was typed to be redeemed stays while the login comes over the page", async () => {
  serve();
  await openPage("/topup");
  await userEvent.type(await screen.findByLabelText("Redemption code"), "typed code");
  isSessionAlive = false;
  await userEvent.click(screen.getByRole("button", { name: "Redeem" }));
  expect(await screen.findByRole("dialog", { name: "Log in to continue" })).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>("Redemption code").value).toBe("typed code");
});

test("another tab that logs out takes no form away; one that logs in again ends the waiting", async () => {
  const sent = serve();
  await openProfile();
  isSessionAlive = false;
  otherTab(undefined);
  expect(screen.getByLabelText<HTMLInputElement>("Display name").value).toBe("Ann of the long form");
  await save();
  isSessionAlive = true;
  otherTab(ann);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await waitFor(() => expect(sent.filter(({ method }) => method === "PUT")).toHaveLength(2));
});

test("what one user typed is never sent for another whom another tab has logged in", async () => {
  const sent = serve();
  await openProfile();
  isSessionAlive = false;
  await save();
  isSessionAlive = true;
  otherTab(bob);
  await waitFor(() => expect(addressNow()).toBe("/token"));
  expect(sent.filter(({ method }) => method === "PUT")).toHaveLength(1);
  expect(storedUser()).toContain("bob");
});
