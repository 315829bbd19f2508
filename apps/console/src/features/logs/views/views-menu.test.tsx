import { ROLE } from "@one-api/contract/roles";
import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { clearUser } from "../../../lib/state/session.ts";
import { logIn, logOf, open, resetServed, serve, served } from "../testing/serve-logs.tsx";

beforeEach(() => {
  clearUser();
  resetServed();
});

test("filters are saved under a name, shown by it, and forgotten with a way back", { timeout: 40_000 }, async () => {
  logIn(ROLE.admin);
  served.views = [{ id: 1, name: "Slow ones", search: { model_name: "o3", range: "day" } }];
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
