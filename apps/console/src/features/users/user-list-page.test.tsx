import { notifications } from "@mantine/notifications";
import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test } from "vitest";
import { clearUser, storeUser } from "../../lib/state/session.ts";
import { renderPage } from "../../testing/render-page.tsx";
import { setScreenWidth } from "../../testing/screen-width.ts";
import { stubCalls } from "../../testing/stub-calls.ts";
import { sampleUser } from "./testing/sample-user.ts";
import UserListPage from "./user-list-page.tsx";

const LIST = "GET /api/user/";
const SPEND = "GET /api/user/spend";
const MANAGE = "POST /api/user/manage";
const render = (address = "/user") => renderPage(<UserListPage />, { address, texts: ["users", "budgets", "views"] });
const row = async (name: string) => {
  const found = (await screen.findByTitle(name)).closest("tr");
  if (found === null) throw new Error("the user has no row");
  return within(found);
};
const logInWith = (role: number, id = 1) => storeUser({ id, username: "viewer", display_name: "", role, status: 1 });
const menuOf = async (name: string) => {
  await userEvent.click((await row(name)).getByRole("button", { name: `More actions for ${name}` }));
  return (item: string) => screen.findByRole("menuitem", { name: item });
};
const changing = (sent: ReturnType<typeof stubCalls>) => sent.filter((call) => call.method !== "GET");
const isOff = (element: HTMLElement) => element.hasAttribute("disabled") || element.dataset["disabled"] === "true";

beforeEach(() => logInWith(100));
afterEach(() => {
  clearUser();
  notifications.clean();
});

test("[TEXT-16] [TEXT-17] [USER-23] [USER-31..40] [USER-41] a row shows the short name, groups, quota, role and state", async () => {
  stubCalls({
    [LIST]: [
      sampleUser({ username: "0123456789abcdefg", group: "vip,svip" }),
      sampleUser({ id: 8, username: "odd", role: 7, status: 9, group: "" }),
      sampleUser({ id: 9, username: "short", role: 10, status: 2 }),
    ],
  });
  await render();
  expect(await screen.findByRole("heading", { name: "Manage users" })).toBeTruthy();
  const long = await row("0123456789abcdefg");
  expect(long.getByText("0123456789abcde…")).toBeTruthy();
  expect(long.getByText("vip").dataset["colour"]).toBe("yellow");
  expect(long.getByText("svip").dataset["colour"]).toBe("red");
  expect([long.getByText("$10.00"), long.getByText("$2.50"), long.getByText("42")]).toHaveLength(3);
  expect([long.getByText("Regular user"), long.getByText("Activated")]).toHaveLength(2);
  const odd = await row("odd");
  expect([odd.getByText("Unknown identity"), odd.getByText("Unknown"), odd.getByText("default")]).toHaveLength(3);
  const short = await row("short");
  expect([short.getByText("Administrator"), short.getByText("Banned")]).toHaveLength(2);
  expect(screen.getByRole("link", { name: "add new user" }).getAttribute("href")).toBe("/user/add");
});

test("a row has its spend of 30 days with its course", async () => {
  const parts = [...Array.from({ length: 29 }, () => 0), 750_000];
  const sent = stubCalls({
    [LIST]: [sampleUser({ id: 9, username: "ada" }), sampleUser({ id: 7, username: "idle" })],
    [SPEND]: [{ id: 9, quota: 750_000, parts }],
  });
  await render();
  expect(await (await row("ada")).findByText("$1.50")).toBeTruthy();
  expect((await row("ada")).getByRole("img", { name: "Spend of ada by day" })).toBeTruthy();
  expect((await row("idle")).queryByRole("img", { name: /Spend of/ })).toBeNull();
  const asked = sent
    .map(({ address }) => new URL(address, location.origin))
    .filter(({ pathname }) => pathname === "/api/user/spend");
  expect(asked.map(({ searchParams }) => searchParams.get("ids"))).toEqual(["7,9"]);
  const edges = asked[0]?.searchParams.get("edges")?.split(",").map(Number) ?? [];
  expect(edges).toHaveLength(31);
  expect(edges.map((edge) => new Date(edge * 1_000).getHours())).toEqual(edges.map(() => 0));
});

test("without a log store there is no column of spend", async () => {
  const off = Object.assign(new Error("This server has no log store."), { name: "log-store-off" });
  stubCalls({ [LIST]: [sampleUser()], [SPEND]: off });
  await render();
  await row("grace");
  await waitFor(() => expect(screen.queryByRole("columnheader", { name: /Spend, 30 days/ })).toBeNull());
  expect(screen.queryByText(/no log store/)).toBeNull();
  expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
});

test("where the filters would take a second line, a button opens them and says how many are set", async () => {
  setScreenWidth(1_024);
  stubCalls({ [LIST]: [sampleUser()] });
  await render("/user?role=1");
  expect(screen.queryByRole("combobox", { name: "Role" })).toBeNull();
  await userEvent.click(await screen.findByRole("button", { name: "Filters (1)" }));
  expect(within(await screen.findByRole("dialog")).getByRole("combobox", { name: "Role" })).toBeTruthy();
});

test("spend that cannot be loaded says why, and is loaded on demand", async () => {
  const answers: Record<string, unknown> = { [LIST]: [sampleUser()], [SPEND]: new Error("The store is broken.") };
  stubCalls(answers);
  await render();
  expect(await screen.findByText(/The store is broken/)).toBeTruthy();
  answers[SPEND] = [];
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByRole("columnheader", { name: /Spend, 30 days/ })).toBeTruthy();
  expect(screen.queryByText(/The store is broken/)).toBeNull();
});

test("[USER-24] [USER-28] [USER-29] [USER-42] the toggle follows the state, takes what the server answers, and can be taken back", async () => {
  const sent = stubCalls({ [LIST]: [sampleUser()], [MANAGE]: { role: 1, status: 2 } });
  await render();
  expect((await row("grace")).getByRole("link", { name: "Edit grace" }).getAttribute("href")).toBe("/user/edit/7");
  await userEvent.click((await row("grace")).getByRole("button", { name: "Disable grace" }));
  expect(await screen.findByText("Operation completed successfully! grace was banned.")).toBeTruthy();
  expect(await (await row("grace")).findByText("Banned")).toBeTruthy();
  expect((await row("grace")).getByRole("button", { name: "Enable grace" })).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Undo" }));
  await waitFor(() =>
    expect(changing(sent).map(({ body }) => body)).toEqual([
      { username: "grace", action: "disable" },
      { username: "grace", action: "enable" },
    ]),
  );
});

test("[USER-25] [USER-26] [USER-43] promoting asks first; the row takes the role", async () => {
  const sent = stubCalls({ [LIST]: [sampleUser()], [MANAGE]: { role: 10, status: 1 } });
  await render();
  const item = await menuOf("grace");
  expect(isOff(await item("Demote"))).toBe(true);
  await userEvent.click(await item("Promote"));
  const dialog = within(await screen.findByRole("dialog", { name: "Make grace an administrator?" }));
  expect(changing(sent)).toEqual([]);
  await userEvent.click(dialog.getByRole("button", { name: "Promote" }));
  await waitFor(async () => expect((await row("grace")).getByText("Administrator")).toBeTruthy());
  expect(changing(sent)[0]?.body).toEqual({ username: "grace", action: "promote" });
});

test("[USER-27] [USER-44] [ENT-014] a deleted row vanishes at once", async () => {
  const answers = { [LIST]: [sampleUser()], [MANAGE]: { role: 1, status: 3 } };
  const sent = stubCalls(answers);
  await render();
  const item = await menuOf("grace");
  await userEvent.click(await item("Delete"));
  const dialog = within(await screen.findByRole("dialog", { name: "Delete user grace?" }));
  answers[LIST] = [];
  await userEvent.click(dialog.getByRole("button", { name: "Delete" }));
  await waitFor(() => expect(screen.queryByTitle("grace")).toBeNull());
  expect(changing(sent)[0]?.body).toEqual({ username: "grace", action: "delete" });
});

test("deleting a user first counts what the user did in a day, and the balance that is lost", async () => {
  const usage = {
    requests: 1_204,
    errors: 0,
    refused: 0,
    quota: 0,
    prompt_tokens: 0,
    completion_tokens: 0,
    cached_tokens: 0,
    first_byte_p50_ms: null,
    first_byte_p95_ms: null,
    first_byte_p99_ms: null,
    duration_p50_ms: null,
    duration_p95_ms: null,
    tokens_per_second: null,
  };
  const dashboard = { edges: [0, 1], parts: [usage], total: usage, before: null, rows: [], rest: null };
  const answers = {
    [LIST]: [sampleUser({ quota: 750_000 })],
    "GET /api/dashboard/": { ...dashboard, row_count: 0, is_complete: true },
  };
  const sent = stubCalls(answers);
  await render();
  const item = await menuOf("grace");
  await userEvent.click(await item("Delete"));
  const dialog = within(await screen.findByRole("dialog", { name: "Delete user grace?" }));
  expect(await dialog.findByText("1,204")).toBeTruthy();
  expect(dialog.getByText("Balance that is lost").closest("div")?.textContent).toContain("$1.50");
  const asked = sent.find(({ address }) => address.startsWith("/api/dashboard/"));
  expect(new URL(asked?.address ?? "", "http://a").searchParams.get("user")).toBe(String(sampleUser().id));
});

test("[USER-30] nothing can be done to root, and an administrator can do nothing to another", async () => {
  logInWith(10, 50);
  stubCalls({
    [LIST]: [
      sampleUser({ id: 1, username: "root", role: 100 }),
      sampleUser({ id: 9, username: "peer", role: 10 }),
      sampleUser({ id: 50, username: "viewer", role: 10 }),
      sampleUser(),
    ],
  });
  await render();
  for (const name of ["root", "peer", "viewer"]) {
    expect(isOff((await row(name)).getByRole("button", { name: `Disable ${name}` }))).toBe(true);
    const item = await menuOf(name);
    for (const action of ["Promote", "Demote", "Delete"]) expect(isOff(await item(action))).toBe(true);
    await userEvent.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("menu")).toBeNull());
  }
  expect((await row("peer")).queryByRole("link", { name: "peer" })).toBeNull();
  expect((await row("viewer")).getByRole("link", { name: "viewer" }).getAttribute("href")).toBe("/user/edit");
  expect(isOff((await row("grace")).getByRole("button", { name: "Disable grace" }))).toBe(false);
  const item = await menuOf("grace");
  expect(isOff(await item("Promote"))).toBe(true);
});

test("[USER-01..03] [USER-08..12] search, filters and orders are the server's", async () => {
  const sent = stubCalls({
    [LIST]: [sampleUser()],
    "GET /api/user/search": [sampleUser()],
    "GET /api/group/": ["vip"],
  });
  await render("/user?sort=-used_quota&status=2&role=10&group=vip");
  await row("grace");
  const query = new URLSearchParams(
    sent.find(({ address }) => address.startsWith("/api/user/?"))?.address.split("?")[1],
  );
  expect(Object.fromEntries(query)).toMatchObject({
    order: "used_quota",
    direction: "desc",
    status: "2",
    role: "10",
    group: "vip",
  });
  await userEvent.type(screen.getByRole("searchbox"), "  ada {Enter}");
  await waitFor(() =>
    expect(sent.some(({ address }) => /search\?.*keyword=ada&|keyword=ada$/.test(address))).toBe(true),
  );
});

test("[USER-20] many users come in pages", async () => {
  const users = Array.from({ length: 21 }, (_row, index) => sampleUser({ id: index + 2, username: `user${index}` }));
  const sent = stubCalls({ [LIST]: users });
  await render();
  await row("user0");
  await userEvent.click(screen.getByRole("button", { name: "Next page" }));
  await waitFor(() => expect(sent.some(({ address }) => /user\/\?.*p=1/.test(address))).toBe(true));
});

test("name, row and menu lead to the user's page; an own row leads to the profile, and an equal's nowhere", async () => {
  logInWith(10, 50);
  stubCalls({
    [LIST]: [
      sampleUser(),
      sampleUser({ id: 50, username: "viewer", role: 10 }),
      sampleUser({ id: 9, username: "peer", role: 10 }),
    ],
  });
  const { router } = await render();
  const { pathname } = router.state.location;
  await userEvent.click((await row("peer")).getByText("Administrator"));
  expect(router.state.location.pathname).toBe(pathname);
  expect((await row("viewer")).getByRole("link", { name: "viewer" }).getAttribute("href")).toBe("/user/edit");
  expect((await row("grace")).getByRole("link", { name: "grace" }).getAttribute("href")).toBe("/user/7");
  await userEvent.click((await row("grace")).getByText("Regular user"));
  await waitFor(() => expect(router.state.location.pathname).toBe("/user/7"));
});
