import { ROLE } from "@one-api/contract/accounts/roles";
import { screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { clearUser } from "../../lib/state/session.ts";
import { logIn, logOf, open, resetServed, serve, served } from "./testing/serve-logs.tsx";

beforeEach(() => {
  clearUser();
  resetServed();
});

const PATIENCE = { timeout: 10_000 };

test("live entries appear on top by themselves; while one reads the list they wait", { timeout: 40_000 }, async () => {
  logIn(ROLE.user);
  const asked = serve([logOf({ id: 1, model_name: "first" })]);
  const { router } = await open();
  const pointer = userEvent.setup();
  await screen.findByRole("cell", { name: "first" });
  expect(served.tailed).toEqual([]);
  await pointer.click(screen.getByRole("button", { name: "Live" }));
  await waitFor(() => expect(asked).toHaveLength(2), PATIENCE);
  expect(router.state.location.search).toEqual({ live: "1" });
  served.came = [logOf({ id: 2, model_name: "second" })];
  await screen.findByRole("cell", { name: "second" }, PATIENCE);
  expect(asked, "the list was not asked again").toHaveLength(2);
  await pointer.hover(screen.getByRole("cell", { name: "second" }));
  served.came = [logOf({ id: 3, model_name: "third" }), ...served.came];
  const waiting = await screen.findByRole("button", { name: "1 new entry" }, PATIENCE);
  expect(screen.queryByRole("cell", { name: "third" })).toBeNull();
  expect(served.tailed.slice(0, 2)).toEqual([0, 1]);
  await pointer.click(waiting);
  expect(await screen.findByRole("cell", { name: "third" })).toBeTruthy();
  const models = screen.getAllByRole("row").map((row) => /first|second|third/.exec(row.textContent)?.[0]);
  expect(models.slice(1)).toEqual(["third", "second", "first"]);
});

test("the export takes the filters along, everybody's entries for administrators", async () => {
  const saved: URL[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function save(this: HTMLAnchorElement) {
    saved.push(new URL(this.href));
  });
  for (const [role, path, item, format] of [
    [ROLE.user, "/api/log/self/export", "CSV", "csv"],
    [ROLE.admin, "/api/log/export", "JSON Lines", "jsonl"],
  ] as const) {
    logIn(role);
    serve([logOf()]);
    const { unmount } = await open("/log?token_name=main&token_name=a,b&channel=3");
    await userEvent.click(await screen.findByRole("button", { name: "Export" }));
    await userEvent.click(await screen.findByRole("menuitem", { name: item }));
    const address = saved.at(-1);
    expect([address?.pathname, address?.searchParams.get("format")]).toEqual([path, format]);
    expect(address?.searchParams.getAll("token_name")).toEqual(["main", "a,b"]);
    expect(address?.searchParams.get("channel")).toBe(role === ROLE.admin ? "3" : null);
    unmount();
  }
});
