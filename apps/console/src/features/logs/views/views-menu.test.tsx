import { ROLE } from "@one-api/contract/roles";
import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { clearUser } from "../../../lib/state/session.ts";
import { logIn, logOf, open, resetServed, serve, served, viewOf } from "../testing/serve-logs.tsx";

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
  await choose("Save these filters…");
  const dialog = within(await screen.findByRole("dialog"));
  await pointer.type(dialog.getByRole("textbox", { name: "Name" }), "Refused");
  await pointer.click(dialog.getByRole("button", { name: "Save view" }));
  await waitFor(() =>
    expect(served.savedViews).toEqual([{ page: "logs", name: "Refused", search: { result: "refused" } }]),
  );
  await waitFor(async () => expect((await views()).title).toBe("Refused"));
  await choose("Slow ones");
  await waitFor(() => expect(router.state.location.search).toEqual({ model_name: "o3", range: "day" }));
  await choose("Delete the view “Slow ones”");
  await waitFor(async () => expect((await views()).title).toBe(""));
  expect(served.views.map(({ name }) => name)).toEqual(["Refused"]);
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
    await userEvent.click(await screen.findByRole("menuitem", { name: "Save these filters…" }));
    const dialog = within(await screen.findByRole("dialog"));
    await userEvent.type(dialog.getByRole("textbox", { name: "Name" }), "Refused");
    await userEvent.click(dialog.getByRole("checkbox", { name: "Begin with this view" }));
    await userEvent.click(dialog.getByRole("checkbox", { name: /^Share with everybody/ }));
    await userEvent.click(dialog.getByRole("button", { name: "Save view" }));
    const flags = () => served.views.map(({ is_shared, is_default }) => [is_shared, is_default]);
    await waitFor(() => expect(flags()).toEqual([[true, true]]));
    await openMenu();
    await userEvent.click(await screen.findByRole("menuitemcheckbox", { name: "Begin with this view", checked: true }));
    await waitFor(() => expect(flags()).toEqual([[true, false]]));
    await userEvent.click(await screen.findByRole("menuitemcheckbox", { name: "Share with everybody", checked: true }));
    await waitFor(() => expect(flags()).toEqual([[false, false]]));
  },
);

test("the log begins with the default where nothing is asked for, once, and who may not share sees what is shared", async () => {
  logIn(ROLE.user);
  served.views = [viewOf({ search: { model_name: "o3" }, is_own: false, is_shared: true, is_default: true })];
  serve([logOf()]);
  const { router } = await open();
  await waitFor(() => expect(router.state.location.search).toEqual({ model_name: "o3" }));
  await openMenu();
  expect(await screen.findByRole("menuitemcheckbox", { name: "Begin with this view", checked: true })).toBeTruthy();
  expect(screen.queryByRole("menuitemcheckbox", { name: "Share with everybody" })).toBe(null);
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
