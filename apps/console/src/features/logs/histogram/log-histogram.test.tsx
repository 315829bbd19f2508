import { LOG_RESULTS } from "@one-api/contract/constants";
import type { LogHistogram } from "@one-api/contract/logs/log-totals";
import { ROLE } from "@one-api/contract/accounts/roles";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { clearUser } from "../../../lib/state/session.ts";
import { logIn, logOf, open, resetServed, serve, served } from "../testing/serve-logs.tsx";

const HALF_HOUR = 1_800;
/** Start of a half hour, some before the one that runs. */
const START = (Math.floor(Date.now() / 1_000 / HALF_HOUR) - 6) * HALF_HOUR;

type Outcomes = Partial<Record<LogHistogram[number]["result"], number>>;

/** Serves entries, by result, of half hours one after the other. */
function serveHalfHours(...all: readonly Outcomes[]): void {
  served.histogram = (edges) =>
    all.flatMap((outcomes, index) => {
      const interval = edges.findLastIndex((edge) => edge <= START + index * HALF_HOUR);
      return LOG_RESULTS.map((result) => ({ interval, result, entries: outcomes[result] ?? 0 }));
    });
}

/** Query of the last call. */
const chartQuery = () => Object.fromEntries(served.counted.at(-1)?.searchParams ?? []);

beforeEach(() => {
  clearUser();
  resetServed();
  localStorage.removeItem("log_histogram");
  serveHalfHours({ ok: 1_000, timeout: 150, "gateway-failed": 50 }, { ok: 30 });
  serve([logOf()]);
});

const chart = async () => within(await screen.findByRole("region", { name: "Entries over time" }));

test("a bar says what went well and what failed; a press narrows the list down to it, a second one opens it again", async () => {
  logIn(ROLE.admin);
  const { router } = await open("/log?range=day&model_name=o3");
  const bars = await chart();
  expect(await bars.findByText("1,030 OK · 200 failed")).toBeTruthy();
  await userEvent.click(bars.getByRole("button", { name: /: 1,000 OK · 200 failed$/ }));
  const chosen = { model_name: "o3", start_timestamp: `${START}`, end_timestamp: `${START + HALF_HOUR - 1}` };
  await waitFor(() => expect(router.state.location.search).toEqual(chosen));
  router.history.back();
  await waitFor(() => expect(router.state.location.search).toEqual({ range: "day", model_name: "o3" }));
  router.history.forward();
  const bar = await bars.findByRole("button", { name: /: 1,000 OK · 200 failed$/, pressed: true });
  await userEvent.click(bar);
  await waitFor(() => expect(router.state.location.search).toEqual({ model_name: "o3" }));
});

test("requests that clients ended or that were refused are counted apart from failures", async () => {
  logIn(ROLE.admin);
  serveHalfHours({ ok: 1_000, timeout: 150, "caller-gone": 20, refused: 5, "over-budget": 1 });
  await open("/log?range=day");
  expect(await (await chart()).findByText("1,000 OK · 150 failed · 26 by clients")).toBeTruthy();
});

test("of all time it shows the last 30 days, and says so", async () => {
  logIn(ROLE.admin);
  const { router } = await open("/log");
  expect(await (await chart()).findByText("Last 30 days only")).toBeTruthy();
  await router.navigate({ to: "/log", search: { range: "week" } });
  await waitFor(async () => expect((await chart()).queryByText("Last 30 days only")).toBeNull());
});

/** Four bars of half an hour each, with as many requests as their place. */
async function openFour() {
  serveHalfHours({ ok: 1 }, { ok: 2 }, { ok: 3 }, { ok: 4 });
  logIn(ROLE.admin);
  const { router } = await open("/log?range=day");
  const bars = await chart();
  const bar = (requests: number) => bars.findByRole("button", { name: new RegExp(`: ${requests} OK · 0 failed$`) });
  const searchOf = (first: number, end: number) => ({
    start_timestamp: `${START + first * HALF_HOUR}`,
    end_timestamp: `${START + end * HALF_HOUR - 1}`,
  });
  return { router, bars, bar, searchOf };
}

test("a drag over bars narrows the list down to their time, from either side; Escape cancels", async () => {
  const { router, bars, bar, searchOf } = await openFour();
  await bar(4);
  const all = within(bars.getByRole("list")).getAllByRole("button");
  vi.spyOn(Element.prototype, "getBoundingClientRect").mockReturnValue(new DOMRect(0, 0, all.length, 100));
  const drag = async (from: number, to: number) => {
    for (const [requests, send] of [
      [from, fireEvent.pointerDown],
      [to, fireEvent.pointerMove],
    ] as const) {
      // prettier-ignore
      const element = await bar(requests);
      send(element, { pointerType: "mouse", button: 0, clientX: all.indexOf(element) + 0.5 });
    }
  };
  await drag(3, 2);
  expect(bars.getByText("5 OK · 0 failed")).toBeTruthy();
  fireEvent.keyDown(window, { key: "Escape" });
  expect(bars.queryByText("5 OK · 0 failed")).toBeNull();
  fireEvent.pointerUp(window);
  expect(router.state.location.search).toEqual({ range: "day" });
  await drag(4, 2);
  fireEvent.pointerUp(window);
  await waitFor(() => expect(router.state.location.search).toEqual(searchOf(1, 4)));
});

test("a second bar with Shift takes the time up to it, by mouse or keyboard", async () => {
  const { router, bar, searchOf } = await openFour();
  const user = userEvent.setup();
  await user.click(await bar(1));
  await waitFor(() => expect(router.state.location.search).toEqual(searchOf(0, 1)));
  (await bar(3)).focus();
  await user.keyboard("{Shift>}{Enter}{/Shift}");
  await waitFor(() => expect(router.state.location.search).toEqual(searchOf(0, 3)));
  await user.click(await bar(4));
  await waitFor(() => expect(router.state.location.search).toEqual(searchOf(3, 4)));
});

test("it counts with every filter of the list, whichever these are; its intervals tell the time", async () => {
  logIn(ROLE.admin);
  const { router } = await open("/log?channel=7&username=mia&token_name=main&model_name=o3&result=timeout&type=2");
  await (await chart()).findByText("1,030 OK · 200 failed");
  const filters = { channel: "7", username: "mia", token_name: "main", model_name: "o3", result: "timeout", type: "2" };
  expect(chartQuery()).toEqual({ ...filters, start_timestamp: "0", end_timestamp: "0", edges: chartQuery()["edges"] });
  await router.navigate({ to: "/log", search: { type: [1] } });
  await waitFor(() => expect(chartQuery()["type"]).toBe("1"));
  expect((await chart()).getByRole("list")).toBeTruthy();
});

test("entries without a request are counted where a filter leaves nothing else", async () => {
  serveHalfHours({ "": 5, ok: 3 }, { "": 1 });
  logIn(ROLE.admin);
  const { router } = await open("/log?range=day");
  await (await chart()).findByText("3 OK · 0 failed");
  serveHalfHours({ "": 1_200 }, { "": 1 });
  await router.navigate({ to: "/log", search: { range: "day", type: [1] } });
  await (await chart()).findByText("1,201 entries");
  expect((await chart()).getByRole("button", { name: /: 1 entry$/ })).toBeTruthy();
});

test("where nothing can be counted, the chart says why", async () => {
  served.histogramError = { code: "log-store-busy", message: "Busy." };
  logIn(ROLE.admin);
  await open("/log?range=day");
  expect(await (await chart()).findByText(/too many totals and charts/)).toBeTruthy();
});

test("the chart is counted again whenever the list loads again, and never alone", { timeout: 40_000 }, async () => {
  logIn(ROLE.user);
  const asked = serve([logOf()]);
  const { router } = await open();
  await (await chart()).findByText("1,030 OK · 200 failed");
  const user = userEvent.setup();
  const count = (requests: number) => {
    serveHalfHours({ ok: requests });
    return [asked.length, served.counted.length] as const;
  };
  const counted = async (requests: number, [lists, charts]: readonly [number, number]) => {
    await (await chart()).findByText(`${requests} OK · 0 failed`, undefined, { timeout: 10_000 });
    expect([asked.length - lists, served.counted.length - charts]).toEqual([1, 1]);
  };
  let before = count(2);
  await user.click(screen.getByRole("button", { name: "Refresh" }));
  await counted(2, before);

  before = count(3);
  await router.navigate({ to: "/log", search: { model_name: ["o3"] } });
  await counted(3, before);

  before = count(4);
  await user.click((await chart()).getByRole("button", { name: "Entries over time" }));
  await user.click((await chart()).getByRole("button", { name: "Entries over time" }));
  await counted(4, before);

  before = count(5);
  await user.click(screen.getByRole("button", { name: "Live" }));
  await counted(5, before);
  const [lists] = count(6);
  served.came = [logOf({ id: 2 })];
  await (await chart()).findByText("6 OK · 0 failed", undefined, { timeout: 10_000 });
  expect(asked.length, "new entries stand in the list without asking for it again").toBe(lists);
});

test("a page that is opened again shows what the log has by then, in the list and in the chart", async () => {
  logIn(ROLE.user);
  const asked = serve([logOf()]);
  const { router, client } = await open();
  await (await chart()).findByText("1,030 OK · 200 failed");
  await router.navigate({ to: "/" });
  const lists = asked.length;
  serveHalfHours({ ok: 8 });
  await client.invalidateQueries({ queryKey: ["logs", "list"] });
  await router.navigate({ to: "/log" });
  await (await chart()).findByText("8 OK · 0 failed");
  expect(asked.length).toBe(lists + 1);
});

test("it can be folded, asks nothing then, and this browser remembers it; users see their own", async () => {
  logIn(ROLE.user);
  const first = await open();
  await (await chart()).findByText("1,030 OK · 200 failed");
  expect(served.counted.at(-1)?.pathname).toBe("/api/log/self/histogram");
  await userEvent.click((await chart()).getByRole("button", { name: "Entries over time" }));
  expect((await chart()).queryByRole("list")).toBeNull();
  first.unmount();
  served.counted = [];
  await open();
  expect((await chart()).getByRole("button", { name: "Entries over time", expanded: false })).toBeTruthy();
  expect(served.counted).toEqual([]);
});
