import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { createMemoryHistory, RouterProvider } from "@tanstack/react-router";
import { render, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { ConfirmProvider } from "../components/dialogs/confirm.tsx";
import { createQueryClient, queryClient } from "../lib/api/query-client.ts";
import { sampleChannel } from "../features/channels/testing/sample-channel.ts";
import { restoreUser, storeUser } from "../lib/state/session.ts";
import { createConsoleRouter } from "../router.tsx";
import { stubCalls } from "../testing/stub-calls.ts";

const person = { id: 2, username: "ann", display_name: "Ann", role: 1, status: 1 };
const self = { ...person, email: "", group: "", quota: 0, used_quota: 0, request_count: 0 };

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  restoreUser();
  // Loaders of all tests share it: a request of an earlier test would stand in for that of a later one.
  queryClient.clear();
});

/** Opens the console at an address: for a visitor, or with a stored user of that role. */
async function open(address: string, role?: number) {
  if (role !== undefined) storeUser({ ...person, role });
  const sent = stubCalls({
    "GET /api/status": new Error("none"),
    "GET /api/notice": "",
    "GET /api/home_page_content": "",
    "GET /api/about": "Who we are",
    "GET /api/user/self": { ...self, role: role ?? 1 },
    "GET /api/user/factors": { totp_since: 0, recovery_codes_left: 0, passkeys: [], proof: [], is_required: false },
    "GET /api/user/sessions": [],
    "GET /api/user/token/state": { is_set: false, created_at: 0, last_used_at: 0 },
    "GET /api/user/9": { ...self, id: 9, username: "bob" },
    "GET /api/token/7": { id: 7, name: "bot", expired_time: -1 },
    "GET /api/channel/5": sampleChannel({ id: 5 }),
    "GET /api/models": {},
    "GET /api/channel/models": [],
    "GET /api/group/": [],
    "GET /api/redemption/3": { id: 3, name: "gift", status: 1, quota: 5 },
  });
  const router = createConsoleRouter(createMemoryHistory({ initialEntries: [address] }));
  await router.load();
  const view = () =>
    render(
      <MantineProvider env="test">
        <QueryClientProvider client={createQueryClient()}>
          <ConfirmProvider>
            <RouterProvider router={router} />
          </ConfirmProvider>
        </QueryClientProvider>
      </MantineProvider>,
    );
  return { sent, router, view };
}

const title = async (text: string) => expect(await screen.findByRole("heading", { level: 1, name: text })).toBeTruthy();

test.each([
  ["[ROUTE-01]", "/", "One API"],
  ["[ROUTE-02]", "/login", "Log in to One API"],
  ["[ROUTE-03] [ROUTE-04]", "/register?aff=Friend12", "Create your One API account"],
  ["[ROUTE-05]", "/reset", "Reset your password"],
  ["[ROUTE-06] [ROUTE-07]", "/user/reset?token=t&email=a%40b.example", "Reset your password"],
  ["[ROUTE-10]", "/about", "About"],
  ["[ROUTE-11]", "/chat", "Chat"],
])("%s %s is open", async (_lines, address, heading) => {
  const { view, router } = await open(address);
  view();
  await title(heading);
  expect(router.state.location.href).toBe(address);
});

test.each(["/login", "/login?from=%2Flog", "/register?aff=Friend12"])(
  "who is logged in already is led from %s into the console",
  async (address) => {
    const { router } = await open(address, 1);
    expect(router.state.location.pathname).toBe("/token");
  },
);

test("who is told that the session has ended can log in, whatever this browser remembers", async () => {
  const { router } = await open("/login?expired=true", 1);
  expect(router.state.location.pathname).toBe("/login");
});

test.each([
  ["[ROUTE-08]", "/oauth/github?code=c&state=s"],
  ["[ROUTE-09]", "/oauth/lark?code=c&state=s"],
])("%s %s hands code and state to the server, for a visitor too", async (_lines, address) => {
  const { sent, view } = await open(address);
  view();
  await waitFor(() => expect(sent.map((call) => call.address)).toContain(`/api${address}`));
});

const pages = [
  ["[ROUTE-15]", "/token", "Tokens", 1],
  ["[ROUTE-16]", "/token/add", "Add token", 1],
  ["[ROUTE-17]", "/token/edit/7", "Edit token", 1],
  ["[ROUTE-24]", "/user/edit", "Edit profile", 1],
  ["[ROUTE-25]", "/setting", "Settings", 1],
  ["[ROUTE-26]", "/topup", "Top-up", 1],
  ["[ROUTE-27]", "/log", "Logs", 1],
  ["[ROUTE-12]", "/channel", "Channels", 10],
  ["[ROUTE-13]", "/channel/add", "Add channel", 10],
  ["[ROUTE-14]", "/channel/edit/5", "Edit channel", 10],
  ["[ROUTE-18]", "/redemption", "Redemption codes", 10],
  ["[ROUTE-19]", "/redemption/add", "Add redemption codes", 10],
  ["[ROUTE-20]", "/redemption/edit/3", "Edit redemption code", 10],
  ["[ROUTE-21]", "/user", "Manage users", 10],
  ["[ROUTE-22]", "/user/add", "Add user", 10],
  ["[ROUTE-23]", "/user/edit/9", "Edit user", 10],
] as const;

test.each(pages)(
  "%s %s is shown to a stored user alone [ROUTE-28] [ROUTE-30]",
  async (_lines, address, heading, role) => {
    const { router, sent } = await open(address);
    // The stored user alone decides: the server is not asked.
    expect([router.state.location.href, sent]).toEqual([`/login?from=${encodeURIComponent(address)}`, []]);
    const { view, router: own } = await open(address, role);
    expect(own.state.location.href).toBe(address);
    view();
    await title(heading);
  },
);

test.each(pages.filter(([, , , role]) => role === 10))("%s %s is for administrators", async (_lines, address) => {
  const { view } = await open(address, 1);
  view();
  await title("Administrators only");
});

test("[ROUTE-31] a page is the same whether or not its code was there before", async () => {
  for (let visit = 1; visit <= 2; visit += 1) {
    const { view } = await open("/topup", 1);
    const { unmount } = view();
    await title("Top-up");
    unmount();
  }
});
