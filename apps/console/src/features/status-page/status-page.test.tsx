import { ROLE } from "@one-api/contract/accounts/roles";
import { screen, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test } from "vitest";
import { clearUser, storeUser } from "../../lib/state/session.ts";
import { restoreStatus } from "../../lib/state/stored-status.ts";
import { STORAGE_KEY } from "../../lib/state/storage-keys.ts";
import { renderPage } from "../../testing/render-page.tsx";
import { stubCalls } from "../../testing/stub-calls.ts";
import StatusPage from "./status-page.tsx";

const CALL = "GET /api/availability";
const span = {
  availability: 1,
  state: "works",
  first_byte_p50_ms: 350,
  first_byte_p95_ms: 900,
  first_byte_p99_ms: 2_000,
};
const none = { first_byte_p50_ms: null, first_byte_p95_ms: null, first_byte_p99_ms: null };
const days = Array.from({ length: 30 }, (_, index) => (index === 0 ? null : 1));
const day_states = days.map((part) => (part === null ? "unused" : "works"));

function switchOn(isOn: boolean) {
  localStorage.setItem(STORAGE_KEY.status, JSON.stringify({ status_page_enabled: isOn }));
  restoreStatus();
}
beforeEach(() => {
  clearUser();
  switchOn(true);
});
afterEach(() => {
  localStorage.clear();
  restoreStatus();
});

const open = () => renderPage(<StatusPage />, { texts: ["status-page"] });

test("each model says how it has answered, in words too, and never more than was answered", async () => {
  stubCalls({
    [CALL]: {
      at: 1_800_000_000,
      models: [
        { model: "gpt-4o", day: span, week: { ...span, availability: 0.99999 }, month: span, days, day_states },
        {
          model: "broken",
          day: { availability: 0.4, state: "fails", ...none },
          week: span,
          month: span,
          days,
          day_states,
        },
        {
          model: "new",
          day: { availability: 5 / 6, state: "few", ...none },
          week: span,
          month: span,
          days: [...days.slice(1), 5 / 6],
          day_states: [...day_states.slice(1), "few"],
        },
        {
          model: "rare",
          day: { availability: null, state: "unused", ...none },
          week: span,
          month: span,
          days,
          day_states,
        },
      ],
    },
  });
  await open();
  const card = async (name: string) => (await screen.findByRole("heading", { name })).closest("li") ?? document.body;
  const good = within(await card("gpt-4o"));
  expect(good.getByText("Operational")).toBeTruthy();
  expect(good.getByText("99.99%")).toBeTruthy();
  expect(good.getAllByText("p50 0.35 s")).toHaveLength(3);
  expect(good.getAllByText("p95 0.90 s")).toHaveLength(3);
  expect(within(good.getByRole("list", { name: "The last 30 days of gpt-4o" })).getAllByRole("listitem")).toHaveLength(
    30,
  );
  expect(within(await card("broken")).getByText("Outage")).toBeTruthy();
  const few = within(await card("new"));
  expect(few.getByText("Some failures")).toBeTruthy();
  expect(few.getByText("83.33%")).toBeTruthy();
  expect(few.getAllByRole("listitem").at(-1)?.title).toMatch(/: 83\.33% · Some failures$/);
  expect(within(await card("rare")).getByText("No traffic today")).toBeTruthy();
  expect(screen.getByText("1 model has an outage")).toBeTruthy();
  expect(screen.getAllByRole("heading", { level: 2 })[0]?.textContent).toBe("broken");
});

test("a headline says that all models work; days with a few failures are a lighter shade", async () => {
  const ofDays = { days: [...days.slice(2), 0.995, 0.2], day_states: [...day_states.slice(2), "works", "fails"] };
  const quiet = { ...span, availability: null, state: "unused", ...none };
  stubCalls({
    [CALL]: {
      at: 1_800_000_000,
      models: [
        { model: "gpt-4o", day: span, week: span, month: span, ...ofDays },
        { model: "rare", day: quiet, week: quiet, month: span, days, day_states },
      ],
    },
  });
  await open();
  expect(await screen.findByText("All models operational")).toBeTruthy();
  const marks = within(screen.getByRole("list", { name: "The last 30 days of gpt-4o" })).getAllByRole("listitem");
  expect(marks.slice(-3).map(({ dataset }) => [dataset["state"], dataset["shade"]])).toEqual([
    ["works", "full"],
    ["works", "light"],
    ["fails", "full"],
  ]);
  expect(marks.at(-1)?.title).toMatch(/20\.00% · Outage$/);
});

test("days with trouble are incidents, newest first; single failures are named in the headline", async () => {
  const few = { ...span, availability: 5 / 6, state: "few" };
  const ofDays = { days: [0.5, ...days.slice(2), 0.95], day_states: ["fails", ...day_states.slice(2), "troubled"] };
  stubCalls({
    [CALL]: {
      at: 1_800_000_000,
      models: [
        { model: "gpt-4o", day: span, week: span, month: span, days, day_states },
        { model: "new", day: few, week: span, month: span, ...ofDays },
      ],
    },
  });
  await open();
  expect(await screen.findByText("No known outage; 1 model had some failures")).toBeTruthy();
  const incidents = within(screen.getByRole("region", { name: "Incidents of the last 30 days" }));
  expect(incidents.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
    "2027-01-15new95.00%Degraded",
    "2026-12-17new50.00%Outage",
  ]);
});

test("while it is switched off the page says so and asks nothing", async () => {
  switchOn(false);
  const sent = stubCalls({ [CALL]: { at: 0, models: [] } });
  await open();
  expect(await screen.findByText("The status page is disabled")).toBeTruthy();
  expect(screen.queryByRole("link")).toBeNull();
  expect(sent).toEqual([]);
});

test("whoever can switch it on is led to where that is", async () => {
  switchOn(false);
  storeUser({ id: 1, username: "root", display_name: "", role: ROLE.admin, status: 1 });
  stubCalls({});
  try {
    await open();
    const link = await screen.findByRole("link", { name: "Open settings" });
    expect(link.getAttribute("href")).toBe("/setting?option=StatusPageEnabled");
  } finally {
    clearUser();
  }
});
