import { MantineProvider } from "@mantine/core";
import { QueryClientProvider, type QueryKey } from "@tanstack/react-query";
import { createMemoryHistory, RouterProvider } from "@tanstack/react-router";
import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { ConfirmProvider } from "../components/dialogs/confirm.tsx";
import { sampleChannel } from "../features/channels/testing/sample-channel.ts";
import { queryClient } from "../lib/api/query-client.ts";
import { clearUser, restoreUser, storeUser } from "../lib/state/session.ts";
import { restoreStatus } from "../lib/state/stored-status.ts";
import { createConsoleRouter } from "../router.tsx";
import { stubCalls } from "../testing/stub-calls.ts";

const OF_SHELL = "The shell loads it on each page.";
const WHEN_IDLE = "It loads once the page stands, as nothing waits for it.";
const OF_ANSWER = "It is asked for the rows or times of an answer, and the page stands without it.";
const COUNTED = "The log store counts it, and rows come first.";

/** Beginnings of the keys of queries that no loader loads, or that of one page does not, with the reason. */
const EXCEPTIONS: readonly (readonly [key: string, reason: string])[] = [
  ["status", OF_SHELL],
  ["notice", OF_SHELL],
  ["users/self", OF_SHELL],
  ["channel-tests", WHEN_IDLE],
  ["channel-traffic", WHEN_IDLE],
  ["channels/tags", WHEN_IDLE],
  ["audit/objects", WHEN_IDLE],
  ["audit/words", WHEN_IDLE],
  ["dashboard/alert-rules", WHEN_IDLE],
  ["/channel groups/list", WHEN_IDLE],
  ["views", WHEN_IDLE],
  ["channels/shares", OF_ANSWER],
  ["channels/names", "It tells whether the suggested name is free, and the page stands without it."],
  ["user-spend", OF_ANSWER],
  ["dashboard/errors", OF_ANSWER],
  ["dashboard/marks", OF_ANSWER],
  ["dashboard/times", OF_ANSWER],
  ["pricing/unpriced", OF_ANSWER],
  ["logs/facet", COUNTED],
  ["logs/histogram", COUNTED],
  ["what-if", COUNTED],
  ["logs/tail", "It waits for requests from now on."],
];

const person = { id: 2, username: "ann", display_name: "Ann", status: 1 };
const token = { id: 7, name: "bot", status: 1, expired_time: -1 };

const ANSWERS = {
  "GET /api/status": { pricing_enabled: true, status_page_enabled: true, register_enabled: true },
  "GET /api/notice": "",
  "GET /api/home_page_content": "",
  "GET /api/user/self": person,
  "GET /api/token/": [token],
  "GET /api/token/search": [token],
  "GET /api/token/7": token,
  "GET /api/user/": [{ ...person, id: 7, username: "bob" }],
  "GET /api/user/7": { ...person, id: 7, username: "bob" },
  "GET /api/channel/7": sampleChannel({ id: 7 }),
  "GET /api/redemption/7": { id: 7, name: "gift", status: 1, quota: 5 },
  "GET /api/user/available_models": ["gpt-4o-mini"],
  "GET /api/dashboard/": { edges: [0, 3_600, 7_200] },
};

const nameOf = (key: QueryKey) => key.filter((part) => typeof part === "string").join("/");

const usedExceptions = new Set<string>();

function isException(address: string, name: string): boolean {
  const found = EXCEPTIONS.find(([key]) => `${name}/`.startsWith(`${key}/`) || `${address} ${name}` === key);
  if (found !== undefined) usedExceptions.add(found[0]);
  return found !== undefined;
}

const addresses = Object.keys(createConsoleRouter(createMemoryHistory()).routesByPath)
  .map((path) => path.replace("$id", "7"))
  .concat("/register?invitation=Friend12", "/setting?section=security")
  .concat(["operation", "system", "other"].map((tab) => `/setting?tab=${tab}`));

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  restoreUser();
  queryClient.clear();
});

function logIn(role: number | undefined): void {
  localStorage.setItem("status", JSON.stringify(ANSWERS["GET /api/status"]));
  restoreStatus();
  if (role === undefined) clearUser();
  else storeUser({ ...person, role });
  stubCalls({ ...ANSWERS, "GET /api/user/self": { ...person, role } });
}

function Console({ router }: { router: ReturnType<typeof createConsoleRouter> }) {
  return (
    <MantineProvider env="test">
      <QueryClientProvider client={queryClient}>
        <ConfirmProvider>
          <RouterProvider router={router} />
        </ConfirmProvider>
      </QueryClientProvider>
    </MantineProvider>
  );
}

/** Opens a page, and returns the names of the queries that its loader began and of those that it shows. */
async function visit(address: string) {
  queryClient.clear();
  const ensured = vi.spyOn(queryClient, "ensureQueryData");
  const router = createConsoleRouter(createMemoryHistory({ initialEntries: [address] }));
  await router.load();
  const { unmount } = render(<Console router={router} />);
  await waitFor(async () => {
    await vi.dynamicImportSettled();
    expect([router.state.status, queryClient.isFetching()]).toEqual(["idle", 0]);
  });
  const begun = new Set(ensured.mock.calls.map(([{ queryKey }]) => nameOf(queryKey)));
  const shown = new Set(
    queryClient
      .getQueryCache()
      .findAll({ type: "active" })
      .map(({ queryKey }) => nameOf(queryKey)),
  );
  unmount();
  ensured.mockRestore();
  return { begun, shown };
}

test.each([
  ["root", 100],
  ["a user", 1],
  ["a visitor", undefined],
])(
  "loaders load what the pages of %s show first, and nothing else",
  async (_who, role) => {
    logIn(role);
    const wrong: string[] = [];
    for (const address of addresses) {
      const { begun, shown } = await visit(address);
      for (const name of shown)
        if (!begun.has(name) && !isException(address, name)) wrong.push(`${address} loads ${name} once it is mounted`);
      for (const name of begun) if (!shown.has(name)) wrong.push(`${address} loads ${name} and does not show it`);
    }
    expect(wrong).toEqual([]);
  },
  90_000,
);

test("no exception is left that no page needs", () => {
  expect(EXCEPTIONS.map(([key]) => key).filter((key) => !usedExceptions.has(key))).toEqual([]);
});

test("a link to a page loads its data when somebody points at it", async () => {
  logIn(100);
  render(<Console router={createConsoleRouter(createMemoryHistory({ initialEntries: ["/user"] }))} />);
  const link = await screen.findByRole("link", { name: "bob" });
  expect(queryClient.getQueryData(["users", "one", 7])).toBeUndefined();
  await userEvent.hover(link);
  await waitFor(() => expect(queryClient.getQueryData(["users", "one", 7])).toMatchObject({ username: "bob" }));
});
