import { ROLE } from "@one-api/contract/accounts/roles";
import type { SavedView } from "@one-api/contract/view";
import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { clearUser } from "../../lib/state/session.ts";
import { renderPage } from "../../testing/render-page.tsx";
import { stubCalls } from "../../testing/stub-calls.ts";
import ChannelListPage from "../channels/channel-list-page.tsx";
import { sampleChannel } from "../channels/testing/sample-channel.ts";
import { logIn, logOf, open, resetServed, serve, served, viewOf } from "../logs/testing/serve-logs.tsx";

beforeEach(() => {
  clearUser();
  resetServed();
});

test("filters are saved under a name, shown by it, and forgotten with a way back", { timeout: 40_000 }, async () => {
  logIn(ROLE.admin);
  served.views = [viewOf({ search: { model_name: "o3", range: "day" } })];
  serve([logOf()]);
  const { router } = await open("/log?result=refused");
  const pointer = userEvent.setup();
  const views = () => screen.findByRole("button", { name: "Views" });
  const choose = async (entry: string) => {
    await pointer.click(await views());
    await pointer.click(await screen.findByRole("menuitem", { name: entry }));
  };
  await choose("Save this view…");
  const dialog = within(await screen.findByRole("dialog"));
  await pointer.click(dialog.getByRole("button", { name: "Save view" }));
  expect(await dialog.findByText("Enter a name.")).toBeTruthy();
  await pointer.type(dialog.getByRole("textbox", { name: "Name" }), "Rejected");
  await pointer.click(dialog.getByRole("button", { name: "Save view" }));
  await waitFor(() =>
    expect(served.savedViews).toEqual([{ page: "logs", name: "Rejected", search: { result: "refused" } }]),
  );
  await waitFor(async () => expect((await views()).title).toBe("Rejected"));
  await choose("Slow ones");
  await waitFor(() => expect(router.state.location.search).toEqual({ model_name: "o3", range: "day" }));
  await choose("Delete the view “Slow ones”");
  await waitFor(async () => expect((await views()).title).toBe(""));
  expect(served.views.map(({ name }) => name)).toEqual(["Rejected"]);
});

const openMenu = async () => userEvent.click(await screen.findByRole("button", { name: "Views" }));

test(
  "a view is saved for everybody and as what the log begins with, and both can be taken back",
  { timeout: 40_000 },
  async () => {
    logIn(ROLE.admin);
    serve([logOf()]);
    await open("/log?result=refused");
    await openMenu();
    await userEvent.click(await screen.findByRole("menuitem", { name: "Save this view…" }));
    const dialog = within(await screen.findByRole("dialog"));
    await userEvent.type(dialog.getByRole("textbox", { name: "Name" }), "Rejected");
    await userEvent.click(dialog.getByRole("checkbox", { name: "Open by default" }));
    await userEvent.click(dialog.getByRole("checkbox", { name: /^Share with all users/ }));
    await userEvent.click(dialog.getByRole("button", { name: "Save view" }));
    const flags = () => served.views.map(({ is_shared, is_default }) => [is_shared, is_default]);
    await waitFor(() => expect(flags()).toEqual([[true, true]]));
    await openMenu();
    await userEvent.click(await screen.findByRole("menuitemcheckbox", { name: "Open by default", checked: true }));
    await waitFor(() => expect(flags()).toEqual([[true, false]]));
    await userEvent.click(await screen.findByRole("menuitemcheckbox", { name: "Share with all users", checked: true }));
    await waitFor(() => expect(flags()).toEqual([[false, false]]));
  },
);

test("the log begins with the default where nothing is asked for, once, and who may not share sees what is shared", async () => {
  logIn(ROLE.user);
  served.views = [viewOf({ search: { model_name: "o3" }, is_own: false, is_shared: true, is_default: true })];
  serve([logOf()]);
  const { router } = await open();
  await openMenu();
  await waitFor(() => expect(router.state.location.search).toEqual({ model_name: "o3" }));
  expect(await screen.findByRole("menuitemcheckbox", { name: "Open by default", checked: true })).toBeTruthy();
  expect(screen.queryByRole("menuitemcheckbox", { name: "Share with all users" })).toBe(null);
  expect(screen.queryByRole("menuitem", { name: /^Delete/ })).toBe(null);
  await router.navigate({ to: "/log", search: {} });
  await waitFor(async () => expect((await screen.findByRole("button", { name: "Views" })).title).toBe(""));
  expect(router.state.location.search).toEqual({});
});

test("an address that asks for something is shown as it asks", async () => {
  logIn(ROLE.user);
  served.views = [viewOf({ search: { model_name: "o3" }, is_default: true })];
  serve([logOf()]);
  const { router } = await open("/log?model_name=o4");
  await openMenu();
  expect(await screen.findByRole("menuitem", { name: /^Slow ones/ })).toBeTruthy();
  expect(router.state.location.search).toEqual({ model_name: "o4" });
});

const CHANNELS = "GET /api/channel/?p=0&size=20";
const savedViews = (view: Partial<SavedView>) => ({ "GET /api/view/?page=channels": [viewOf(view)] });
const openChannels = (address: string) =>
  renderPage(<ChannelListPage />, { address, path: "/channel", texts: ["channels", "views"] });

test("a list has views of its own, which set filters and order and take the place of what was set", async () => {
  logIn(ROLE.admin);
  stubCalls({ "GET /api/channel/": [sampleChannel()], "GET /api/view/?page=channels": [] });
  const { router } = await openChannels("/channel?group=vip&keyword=ma");
  await openMenu();
  await userEvent.click(await screen.findByRole("menuitem", { name: "Automatically disabled" }));
  await waitFor(() => expect(router.state.location.searchStr).toBe("?status=3"));
  expect((await screen.findByRole("button", { name: "Views" })).title).toBe("Automatically disabled");
  await openMenu();
  await userEvent.click(await screen.findByRole("menuitem", { name: "Slowest" }));
  await waitFor(() => expect(router.state.location.searchStr).toBe("?sort=-response_time"));
});

test("what is shown of a list, its order too, is saved as a view of that list", async () => {
  logIn(ROLE.user);
  const saved = viewOf({ name: "Dear ones", search: { status: "1", sort: "-priority" } });
  const sent = stubCalls({
    "GET /api/channel/": [sampleChannel()],
    "GET /api/view/?page=channels": [],
    "PUT /api/view/": saved,
  });
  await openChannels("/channel?status=1&sort=-priority&page=1");
  await openMenu();
  await userEvent.click(await screen.findByRole("menuitem", { name: "Save this view…" }));
  const dialog = within(await screen.findByRole("dialog"));
  await userEvent.type(dialog.getByRole("textbox", { name: "Name" }), "Dear ones");
  await userEvent.click(dialog.getByRole("button", { name: "Save view" }));
  const body = { page: "channels", name: "Dear ones", search: { sort: "-priority", status: "1" } };
  await waitFor(() => expect(sent).toContainEqual({ method: "PUT", address: "/api/view/", body }));
});

test("a list begins with the default where its address asks for nothing", async () => {
  logIn(ROLE.admin);
  const view = savedViews({ search: { status: "2", sort: "name", moon: "full" }, is_default: true });
  stubCalls({ [CHANNELS]: [], "GET /api/channel/": [sampleChannel()], ...view });
  const { router } = await openChannels("/channel");
  await openMenu();
  await waitFor(() => expect(router.state.location.search).toEqual({ status: "2", sort: "name" }));
  expect((await screen.findByRole("button", { name: "Views" })).title).toBe("Slow ones");
});
