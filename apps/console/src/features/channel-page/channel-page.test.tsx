import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test } from "vitest";
import { renderPage } from "../../testing/render-page.tsx";
import { storeUser } from "../../lib/state/session.ts";
import { stubCalls } from "../../testing/stub-calls.ts";
import ChannelPage from "./channel-page.tsx";
import { sampleChannel } from "../channels/testing/sample-channel.ts";

const totals = { requests: 0, errors: 0, quota: 0, tokens: 0 };
const model = { served: true, rest: "", until: 0, latency_ms: null, ...totals };
const traffic = {
  from: 1_700_000_000,
  to: 1_700_086_400,
  requests: 40,
  errors: 2,
  quota: 500_000,
  tokens: 1_234,
  results: [
    { result: "ok", requests: 38 },
    { result: "timeout", requests: 2 },
  ],
  models: [
    { ...model, model: "gpt-4o", requests: 40, errors: 2, quota: 500_000, latency_ms: 840 },
    { ...model, model: "gpt-4o-mini", rest: "rate-limited", until: 1_700_086_460 },
  ],
  first_byte_p50_ms: 1_250,
  first_byte_p95_ms: 4_000,
  first_byte_p99_ms: 9_000,
  spent_quota: 1_000_000,
};
const noTimes = { requests: 0, models: [] };
const decision = {
  id: 5,
  kind: "disabled",
  model: "",
  code: "key-refused",
  message: "Incorrect API key provided",
  first_at: 1_700_000_000,
  last_at: 1_700_000_000,
  times: 1,
  until: 0,
  undone_at: 0,
  undo: "enable",
};

test("a channel's page tells its day, its models and why the gateway disabled it, and takes that back", async () => {
  const sent = stubCalls({
    "GET /api/channel/7": sampleChannel({ status: 3, soft_limit_usd: 4, used_quota: 3_000_000 }),
    "GET /api/channel/7/traffic": traffic,
    "GET /api/channel/7/keys": [],
    "GET /api/channel/7/times": noTimes,
    "GET /api/channel/7/decisions": [
      decision,
      { ...decision, id: 4, kind: "slept", code: "rate-limited", message: "", undo: "" },
    ],
  });
  await renderPage(<ChannelPage />, {
    path: "/channel/$id",
    address: "/channel/7",
    texts: ["channel-page", "channel-reasons", "channels", "logs"],
  });
  expect(await screen.findByRole("heading", { name: "Main" })).toBeTruthy();
  const results = within(await screen.findByRole("list", { name: "Outcomes" }));
  expect(results.getByRole("link", { name: "Timed out" }).getAttribute("href")).toBe(
    "/log?channel=7&result=timeout&range=day",
  );
  const asleep = screen.getByText("gpt-4o-mini").closest("tr");
  if (asleep === null) throw new Error("the model has no row");
  expect(within(asleep).getByText("Paused: rate-limited")).toBeTruthy();
  expect(screen.getByText("0.84 s")).toBeTruthy();
  expect(screen.getByText(/1\.25 s/).textContent).toBe("1.25 s p95 4.00 s · p99 9.00 s");
  expect(screen.getByRole("progressbar", { name: "Counted towards the limit" }).getAttribute("aria-valuenow")).toBe(
    "50",
  );
  const decisions = within(screen.getByRole("list", { name: "Automatic actions" }));
  expect(decisions.getByText("Incorrect API key provided")).toBeTruthy();
  await userEvent.click(decisions.getByRole("button", { name: "Enable again" }));
  await userEvent.click(screen.getByRole("button", { name: "Resume now" }));
  await waitFor(() =>
    expect(sent.filter(({ method }) => method !== "GET").map(({ address }) => address)).toEqual([
      "/api/channel/7/decisions/5/undo",
      "/api/channel/7/wake",
    ]),
  );
  await waitFor(() => expect(sent.filter(({ address }) => address === "/api/channel/7").length).toBeGreaterThan(1));
});

test("a model's first token and duration are the medians of its newest requests; one without streams tells what the server has seen", async () => {
  const times = {
    requests: 30,
    models: [
      { model: "gpt-4o", requests: 20, first_byte_p50_ms: 1_300, duration_p50_ms: 9_100 },
      { model: "o3", requests: 10, first_byte_p50_ms: null, duration_p50_ms: 22_000 },
    ],
  };
  const models = [...traffic.models, { ...model, model: "o3", latency_ms: 700 }];
  stubCalls({
    "GET /api/channel/7": sampleChannel(),
    "GET /api/channel/7/traffic": { ...traffic, models },
    "GET /api/channel/7/times": times,
    "GET /api/channel/7/decisions": [],
  });
  await renderPage(<ChannelPage />, {
    path: "/channel/$id",
    address: "/channel/7",
    texts: ["channel-page", "channel-reasons", "channels", "logs"],
  });
  await screen.findByText("9.10 s");
  const cellsOf = (name: RegExp) =>
    within(screen.getByRole("row", { name }))
      .getAllByRole("cell")
      .map((cell) => cell.textContent);
  expect(cellsOf(/^gpt-4o Avail/)).toEqual(expect.arrayContaining(["1.30 s", "9.10 s"]));
  expect(cellsOf(/^o3/)).toEqual(expect.arrayContaining(["0.70 s", "22.00 s"]));
  expect(cellsOf(/^gpt-4o-mini/).filter((text) => text === "–")).toHaveLength(3);
});

test("the traffic of a week is a press away, and its address keeps it", async () => {
  const week = { ...traffic, requests: 280, models: [{ ...model, model: "gpt-4o", requests: 280 }] };
  stubCalls({
    "GET /api/channel/7": sampleChannel(),
    "GET /api/channel/7/traffic": traffic,
    "GET /api/channel/7/traffic?days=7": week,
    "GET /api/channel/7/keys": [],
    "GET /api/channel/7/times": noTimes,
    "GET /api/channel/7/times?days=7": noTimes,
    "GET /api/channel/7/decisions": [],
  });
  const { router } = await renderPage(<ChannelPage />, {
    path: "/channel/$id",
    address: "/channel/7",
    texts: ["channel-page", "channel-reasons", "channels", "logs"],
  });
  await userEvent.click(await screen.findByRole("button", { name: "7 days" }));
  expect(await screen.findAllByText("280")).toHaveLength(2);
  expect(screen.getByText("Availability now, traffic of the last 7 days.")).toBeTruthy();
  expect(router.state.location.href).toBe("/channel/7?range=week");
});

test("models are sorted by a press, the busiest first until then, and failures of a week have the provider's words", async () => {
  storeUser({ id: 1, username: "root", display_name: "", role: 100, status: 1 });
  const models = [
    { ...model, model: "cheap", requests: 9, quota: 10 },
    { ...model, model: "dear", requests: 4, quota: 900 },
    { ...model, model: "busy", requests: 30, quota: 50 },
  ];
  const failure = {
    kind: "rate-limited",
    status_code: 429,
    message: "Limit 60000, used 1.",
    entries: 12,
    first_at: 1_700_000_000,
    last_at: 1_700_000_060,
    newest_id: 77,
    channels: [{ id: 7, name: "Main", entries: 12 }],
  };
  const sent = stubCalls({
    "GET /api/channel/7": sampleChannel(),
    "GET /api/channel/7/traffic": { ...traffic, models },
    "GET /api/channel/7/keys": [],
    "GET /api/channel/7/times": noTimes,
    "GET /api/channel/7/decisions": [],
    "GET /api/log/errors": { groups: [failure], read: 12, total: 12 },
  });
  await renderPage(<ChannelPage />, {
    path: "/channel/$id",
    address: "/channel/7",
    texts: ["channel-page", "channel-reasons", "channels", "logs"],
  });
  const table = within(await screen.findByRole("region", { name: "Usage by model" }));
  const names = () =>
    table
      .getAllByRole("row")
      .slice(1)
      .map((row) => within(row).getAllByRole("cell")[0]?.textContent);
  expect(names()).toEqual(["busy", "cheap", "dear"]);
  await userEvent.click(table.getByRole("button", { name: "Spend" }));
  expect(names()).toEqual(["dear", "busy", "cheap"]);
  await userEvent.click(table.getByRole("button", { name: "Spend" }));
  expect(names()).toEqual(["cheap", "busy", "dear"]);
  const failures = within(await screen.findByRole("region", { name: "Errors by provider message" }));
  expect(await failures.findByRole("button", { name: "Limit 60000, used 1." })).toBeTruthy();
  const asked = sent.find(({ address }) => address.startsWith("/api/log/errors"));
  expect(new URL(asked?.address ?? "", "http://a").searchParams.get("channel")).toBe("7");
});

test("how quickly models answer has no column where the server has seen no answer", async () => {
  const models = traffic.models.map((one) => ({ ...one, latency_ms: null }));
  stubCalls({
    "GET /api/channel/7": sampleChannel(),
    "GET /api/channel/7/traffic": { ...traffic, models },
    "GET /api/channel/7/keys": [],
    "GET /api/channel/7/times": noTimes,
    "GET /api/channel/7/decisions": [],
  });
  await renderPage(<ChannelPage />, {
    path: "/channel/$id",
    address: "/channel/7",
    texts: ["channel-page", "channel-reasons", "channels", "logs"],
  });
  await screen.findByRole("row", { name: /gpt-4o-mini/ });
  await waitFor(() => expect(screen.queryByRole("columnheader", { name: /^First token/ })).toBeNull());
  expect(screen.getByRole("columnheader", { name: /^Requests/ })).toBeTruthy();
});
