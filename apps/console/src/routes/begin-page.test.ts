import { beforeEach, expect, test, vi } from "vitest";
import { createMemoryHistory } from "@tanstack/react-router";
import { clearUser, storeUser } from "../lib/state/session.ts";
import { createConsoleRouter } from "../router.tsx";
import { stubCalls } from "../testing/stub-calls.ts";
import { PAGES } from "./pages.ts";

const person = { id: 2, username: "ann", display_name: "Ann", status: 1 };

beforeEach(() => {
  vi.resetModules();
  clearUser();
});

/** Loads the script anew, as a visit does. Returns the requests of a user with the role, or of a visitor. */
async function visit(address: string, role?: number) {
  if (role !== undefined) storeUser({ ...person, role });
  window.history.replaceState(undefined, "", address);
  const sent = stubCalls({ "GET /api/user/7": { ...person, id: 7 } });
  await import("./begin-page.ts");
  return sent;
}

test("the data of the page is requested before anything is rendered, for the row of the address", async () => {
  const sent = await visit("/user/edit/7", 100);
  await vi.waitFor(() => expect(sent.map(({ address }) => address)).toContain("/api/user/7"));
});

test.each([
  ["/user", 1],
  ["/user", undefined],
  ["/nothing-here", 100],
])("nothing is requested of %s for the role %s, which sees no such page", async (address, role) => {
  const sent = await visit(address, role);
  await import("./page-queries.ts");
  expect(sent).toEqual([]);
});

test("each route but the login's has its page in the table", () => {
  const { routesByPath } = createConsoleRouter(createMemoryHistory());
  expect(Object.keys(PAGES).toSorted()).toEqual(
    Object.keys(routesByPath)
      .filter((path) => path !== "/login")
      .toSorted(),
  );
});
