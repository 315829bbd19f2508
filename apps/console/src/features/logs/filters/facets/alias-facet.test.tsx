import { ROLE } from "@one-api/contract/accounts/roles";
import { screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { clearUser } from "../../../../lib/state/session.ts";
import { logIn, logOf, open, resetServed, serve, served } from "../../testing/serve-logs.tsx";

beforeEach(() => {
  clearUser();
  resetServed();
});

test("entries are filtered by alias where some have one", async () => {
  logIn(ROLE.user);
  const asked = serve([logOf()]);
  const view = await open();
  await waitFor(() => expect(served.facetsAsked.some(({ search }) => search.includes("field=alias"))).toBe(true));
  expect(screen.queryByRole("button", { name: "Alias" })).toBeNull();
  view.unmount();
  served.facets.alias = [{ value: "fast", label: "fast", entries: 3 }];
  await open();
  await userEvent.click(await screen.findByRole("button", { name: "Alias" }));
  await userEvent.click(await screen.findByRole("button", { name: "fast 3" }));
  await waitFor(() => expect(asked.at(-1)?.searchParams.get("alias")).toBe("fast"));
});
