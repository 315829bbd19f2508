import type { Dashboard, Usage } from "@one-api/contract/usage/dashboard";
import { ROLE } from "@one-api/contract/accounts/roles";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { clearUser } from "../../../lib/state/session.ts";
import { logIn, logOf, NO_USAGE, open, resetServed, serve, served } from "../testing/serve-logs.tsx";

const HOUR = 3_600;
const START = Math.floor(Date.now() / 1_000 / HOUR) * HOUR - 2 * HOUR;

function usage(requests: number, errors: number): Usage {
  return { ...NO_USAGE, requests, errors };
}

function sums(rows: readonly (readonly [key: string, name: string, requests: number])[] = []): Dashboard {
  return {
    edges: [START, START + HOUR, START + 2 * HOUR],
    parts: [usage(1_200, 200), usage(30, 0)],
    total: usage(1_230, 200),
    before: null,
    rows: rows.map(([key, name, requests]) => ({ ...usage(requests, 0), key, name, owner: "" })),
    rest: null,
    is_complete: true,
  };
}

beforeEach(() => {
  clearUser();
  resetServed();
  localStorage.removeItem("log_histogram");
  served.dashboard = sums();
  serve([logOf()]);
});

const chart = async () => within(await screen.findByRole("region", { name: "Requests over time" }));

test("a bar says what went well and what failed; a press narrows the list down to it, a second one opens it again", async () => {
  logIn(ROLE.admin);
  const { router } = await open("/log?range=week&model_name=o3");
  const bars = await chart();
  expect(await bars.findByText("1,030 OK · 200 failed")).toBeTruthy();
  await userEvent.click(bars.getByRole("button", { name: /: 1,000 OK · 200 failed$/ }));
  const chosen = { model_name: "o3", start_timestamp: `${START}`, end_timestamp: `${START + HOUR - 1}` };
  await waitFor(() => expect(router.state.location.search).toEqual(chosen));
  const bar = await bars.findByRole("button", { name: /: 1,000 OK · 200 failed$/, pressed: true });
  await userEvent.click(bar);
  await waitFor(() => expect(router.state.location.search).toEqual({ model_name: "o3" }));
});

test("of all time it shows the last day, and says so", async () => {
  logIn(ROLE.admin);
  const { router } = await open("/log");
  expect(await (await chart()).findByText("Last 24 hours only")).toBeTruthy();
  await router.navigate({ to: "/log", search: { range: "week" } });
  await waitFor(async () => expect((await chart()).queryByText("Last 24 hours only")).toBeNull());
});

/** Four bars of an hour each, with as many requests as their place. */
async function openFour() {
  const edges = [0, 1, 2, 3, 4].map((hours) => START + hours * HOUR);
  const parts = [1, 2, 3, 4].map((requests) => ({ ...sums().total, requests, errors: 0 }));
  served.dashboard = { ...sums(), edges, parts };
  logIn(ROLE.admin);
  const { router } = await open("/log?range=week");
  const bars = await chart();
  const bar = (requests: number) => bars.findByRole("button", { name: new RegExp(`: ${requests} OK · 0 failed$`) });
  const searchOf = (first: number, end: number) => ({
    start_timestamp: `${START + first * HOUR}`,
    end_timestamp: `${START + end * HOUR - 1}`,
  });
  return { router, bars, bar, searchOf };
}

test("drawing over bars narrows the list down to their time, from either side; Escape gives up", async () => {
  const { router, bars, bar, searchOf } = await openFour();
  fireEvent.mouseDown(await bar(3));
  fireEvent.mouseEnter(await bar(2));
  expect(bars.getAllByRole("button", { pressed: true })).toHaveLength(2);
  expect(bars.getByText("5 OK · 0 failed")).toBeTruthy();
  fireEvent.keyDown(window, { key: "Escape" });
  expect(bars.queryAllByRole("button", { pressed: true })).toHaveLength(0);
  fireEvent.mouseUp(window);
  expect(router.state.location.search).toEqual({ range: "week" });
  fireEvent.mouseDown(await bar(4));
  fireEvent.mouseEnter(await bar(2));
  fireEvent.mouseUp(window);
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

test("it counts the one model or channel that the list is narrowed down to, and says when it counts nothing", async () => {
  logIn(ROLE.admin);
  const { router } = await open("/log?channel=7");
  await (await chart()).findByText("1,030 OK · 200 failed");
  expect(Object.fromEntries(served.counted.at(-1)?.searchParams ?? [])).toMatchObject({ by: "channel", key: "7" });
  await router.navigate({ to: "/log", search: { channel: 7, result: "timeout" } });
  expect(await (await chart()).findByText(/for everything, one model, one channel/)).toBeTruthy();
  expect((await chart()).queryByRole("list")).toBeNull();
});

test("it counts a user's requests with a model and a token, and these counts stand beside the filters", async () => {
  logIn(ROLE.admin);
  served.dashboard = sums([["o3", "o3", 12]]);
  await open("/log?username=mia&model_name=o3&token_name=main");
  await (await chart()).findByText("1,030 OK · 200 failed");
  const asked = () => Object.fromEntries(served.counted.at(-1)?.searchParams ?? []);
  expect(asked()).toMatchObject({ by: "model", key: "", username: "mia", model_name: "o3", token_name: "main" });
  await userEvent.click(await screen.findByRole("combobox", { name: "Model name" }));
  await waitFor(() =>
    expect(asked()).toMatchObject({ by: "model", username: "mia", model_name: "", token_name: "main" }),
  );
});

test("bars and counts of all models are one question", async () => {
  logIn(ROLE.admin);
  served.dashboard = sums([["o3", "o3", 12]]);
  await open();
  await (await chart()).findByText("1,030 OK · 200 failed");
  await userEvent.click(await screen.findByRole("combobox", { name: "Model name" }));
  expect(await screen.findByRole("option", { name: "o312" })).toBeTruthy();
  expect(served.counted).toHaveLength(1);
});

test("the chart is counted again whenever the list loads again, and never alone", { timeout: 40_000 }, async () => {
  logIn(ROLE.user);
  const asked = serve([logOf()]);
  const { router } = await open();
  await (await chart()).findByText("1,030 OK · 200 failed");
  const user = userEvent.setup();
  const count = (requests: number) => {
    served.dashboard = { ...sums(), parts: [usage(requests, 0), usage(0, 0)] };
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
  await router.navigate({ to: "/log", search: { model_name: "o3" } });
  await counted(3, before);

  before = count(4);
  await user.click((await chart()).getByRole("button", { name: "Requests over time" }));
  await user.click((await chart()).getByRole("button", { name: "Requests over time" }));
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
  served.dashboard = { ...sums(), parts: [usage(8, 0), usage(0, 0)] };
  await client.invalidateQueries({ queryKey: ["logs", "list"] });
  await router.navigate({ to: "/log" });
  await (await chart()).findByText("8 OK · 0 failed");
  expect(asked.length).toBe(lists + 1);
});

test("each way in which requests ended stands with how often it did, whichever is chosen", async () => {
  logIn(ROLE.admin);
  served.results = [
    { result: "ok", requests: 4_321 },
    { result: "timeout", requests: 2 },
  ];
  await open("/log?result=timeout&model_name=o3");
  await userEvent.click(await screen.findByRole("combobox", { name: "Result" }));
  await waitFor(() => expect(screen.getByRole("option", { name: /^OK/ }).textContent).toBe("OK4,321"));
  expect(screen.getByRole("option", { name: /^Cut off/ }).textContent).toBe("Cut off");
  expect(served.resultsAsked.at(-1)?.searchParams.get("result")).toBe(null);
  expect(served.resultsAsked.at(-1)?.searchParams.get("model_name")).toBe("o3");
});

test("it can be folded, asks nothing then, and this browser remembers it; users see their own", async () => {
  logIn(ROLE.user);
  const first = await open();
  await (await chart()).findByText("1,030 OK · 200 failed");
  expect(served.counted.at(-1)?.pathname).toBe("/api/dashboard/self");
  await userEvent.click((await chart()).getByRole("button", { name: "Requests over time" }));
  expect((await chart()).queryByRole("list")).toBeNull();
  first.unmount();
  served.counted = [];
  await open();
  expect((await chart()).getByRole("button", { name: "Requests over time", expanded: false })).toBeTruthy();
  expect(served.counted).toEqual([]);
});

test("values that a filter takes stand with how often they occur, the most frequent first", async () => {
  logIn(ROLE.admin);
  served.dashboard = sums([
    ["gpt-4o", "gpt-4o", 4_321],
    ["o3", "o3", 12],
  ]);
  served.suggestions = ["ada", "gpt-4o"].map((value) => ({ value, label: value }));
  await open();
  await userEvent.click(await screen.findByRole("combobox", { name: "Model name" }));
  await waitFor(async () =>
    expect((await screen.findAllByRole("option")).map(({ textContent }) => textContent)).toEqual([
      "gpt-4o4,321",
      "o312",
      "ada",
    ]),
  );
});
