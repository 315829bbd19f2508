import { createMemoryHistory, RouterProvider } from "@tanstack/react-router";
import { render, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { beforeEach, expect, test, vi } from "vitest";
import { queryClient } from "./lib/api/query-client.ts";
import { expireSession, restoreUser, storeUser } from "./lib/state/session.ts";
import { createConsoleRouter } from "./router.tsx";
import { accepted, refused, stubApi, type SentRequest } from "./testing/stub-api.ts";

const user = { id: 2, username: "ann", display_name: "Ann", role: 1, status: 1 };
const empty = { ...accepted([]), headers: { "x-total-count": "0" } };
const answers = {
  "GET /api/status": refused("none"),
  "GET /api/notice": accepted(""),
  "GET /api/token/": empty,
  "GET /api/user/logout": accepted(null),
};

let router: ReturnType<typeof createConsoleRouter>;

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  queryClient.clear();
  restoreUser();
});

async function open(address: string) {
  router = createConsoleRouter(createMemoryHistory({ initialEntries: [address] }));
  await router.load();
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={queryClient}>
        <Notifications />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  );
}

const addressNow = () => router.state.location.href;

async function logIn(sent: SentRequest[], name: string, password: string): Promise<void> {
  await userEvent.type(await screen.findByLabelText("Username or email"), name);
  await userEvent.type(screen.getByLabelText("Password"), password);
  await userEvent.click(screen.getByRole("button", { name: "Log in" }));
  await waitFor(() => expect(sent.some(({ method }) => method === "POST")).toBe(true));
}

test("[ROUTE-28] [ROUTE-29] a visitor is sent to the login with the origin, and back after it", async () => {
  const sent = stubApi({ ...answers, "POST /api/user/login": accepted(user) });
  await open("/token?keyword=abc");
  expect(addressNow()).toBe(`/login?from=${encodeURIComponent("/token?keyword=abc")}`);
  await logIn(sent, "ann", "long enough");
  await waitFor(() => expect(addressNow()).toBe("/token?keyword=abc"));
  expect(JSON.parse(localStorage.getItem("user") ?? "")).toMatchObject({ username: "ann", role: 1 });
});

test("whose session the server ended is told so on every page, until the next login", async () => {
  stubApi(answers);
  storeUser(user);
  await open("/token");
  expireSession();
  await router.navigate({ to: "/log" });
  expect(addressNow()).toBe("/login?expired=true");
  expect(router.state.location.state.origin).toBe("/log");
  storeUser(user);
  await router.navigate({ to: "/token" });
  expect(addressNow()).toBe("/token");
});

test("[LOGIN-14] without an origin the login leads to the tokens", async () => {
  const sent = stubApi({ ...answers, "POST /api/user/login": accepted(user) });
  await open("/login");
  await logIn(sent, "ann", "long enough");
  await waitFor(() => expect(addressNow()).toBe("/token"));
});

test("[LOGIN-15] root with the default password is led to a new one", async () => {
  const sent = stubApi({ ...answers, "POST /api/user/login": accepted({ ...user, username: "root", role: 100 }) });
  await open("/login?from=/log");
  await logIn(sent, "root", "123456");
  await waitFor(() => expect(addressNow()).toBe("/user/edit"));
});

test("[LOGIN-15] from there the home page with the next steps follows, once the new password is saved", async () => {
  const root = { ...user, username: "root", role: 100, default_password: true, quota: 0, used_quota: 0 };
  const own = { ...root, email: "", github_id: "", wechat_id: "", lark_id: "", oidc_id: "" };
  const sent = stubApi({
    ...answers,
    "POST /api/user/login": accepted(root),
    "GET /api/user/self": accepted(own),
    "PUT /api/user/self": accepted(null),
  });
  await open("/login");
  await logIn(sent, "root", "123456");
  await userEvent.type(await screen.findByLabelText("New password"), "no longer default");
  const warning = "Please change the default password immediately!";
  expect(screen.getByText(warning)).toBeDefined();
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(addressNow()).toBe("/"));
  await waitFor(() => expect(screen.queryByText(warning)).toBeNull());
});

test("[LOGIN-15] so is root where only the server knows, after another way than the password", async () => {
  const root = { ...user, username: "root", role: 100, default_password: true };
  const sent = stubApi({ ...answers, "POST /api/user/login": accepted(root) });
  await open("/login?from=/log");
  await logIn(sent, "root@example.com", "not told");
  await waitFor(() => expect(addressNow()).toBe("/user/edit"));
});

test("[V36] an origin outside the console is not followed", async () => {
  const sent = stubApi({ ...answers, "POST /api/user/login": accepted(user) });
  await open("/login?from=//evil.example/x");
  await logIn(sent, "ann", "long enough");
  await waitFor(() => expect(addressNow()).toBe("/token"));
});

test("[LOGIN-11] nothing is sent while a field is empty", async () => {
  const sent = stubApi(answers);
  await open("/login");
  await userEvent.type(await screen.findByLabelText("Username or email"), "ann");
  await userEvent.click(screen.getByRole("button", { name: "Log in" }));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText("Password")));
  expect(sent.filter(({ method }) => method === "POST")).toEqual([]);
});

test("[TEXT-02] [TEXT-14] a session that the server does not know leads to the login, which says so", async () => {
  storeUser(user);
  stubApi({ ...answers, "GET /api/token/": { status: 401, body: { success: false, message: "Log in." } } });
  await open("/token");
  await waitFor(() => expect(addressNow()).toBe("/login?expired=true"));
  expect(await screen.findByText("Not logged in or login expired, please log in again!")).toBeTruthy();
  expect(localStorage.getItem("user")).toBeNull();
});

test("the login says why another way to log in failed", async () => {
  stubApi(answers);
  await open("/login");
  await router.navigate({ to: "/login", state: { problem: "Login failed. This code was used." } });
  expect((await screen.findByRole("alert")).textContent).toBe("Login failed. This code was used.");
});

test("an invitation opened with an ended session leads over the login to the registration, with its code", async () => {
  storeUser(user);
  stubApi({
    ...answers,
    "GET /api/token/": { status: 401, body: { success: false, message: "Log in." } },
    "GET /api/user/invitation": refused("none"),
  });
  await open("/register?invitation=Welcome1");
  await waitFor(() => expect(addressNow()).toBe("/login?expired=true"));
  await userEvent.click(await screen.findByRole("link", { name: "Create an account" }));
  await waitFor(() => expect(addressNow()).toBe("/register?invitation=Welcome1"));
});

test("an administrators' page says so to others, with a way back", async () => {
  storeUser(user);
  stubApi(answers);
  await open("/channel");
  expect(await screen.findByText("Administrators only")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Back to tokens" }).getAttribute("href")).toBe("/token");
});

test("[ROUTE-32] [TEXT-10] other addresses show the not-found page", async () => {
  stubApi(answers);
  await open("/no/such/page");
  expect(await screen.findByText("Page does not exist. Please check your browser address")).toBeTruthy();
});

test("[START-52] [START-53] [START-54] [TEXT-54] logging out calls the server, forgets the user and leads to the login", async () => {
  storeUser(user);
  const sent = stubApi(answers);
  await open("/about");
  await userEvent.click(await screen.findByRole("button", { name: "Log out" }));
  await waitFor(() => expect(addressNow()).toBe("/login"));
  expect(sent.map(({ address }) => address)).toContain("/api/user/logout");
  expect(localStorage.getItem("user")).toBeNull();
});
