import type { SystemState } from "@one-api/contract/system/system";
import { act, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { formatTime } from "../../lib/format.ts";
import { changeLanguage } from "../../lib/i18n/i18n.ts";
import { clearUser, storeUser } from "../../lib/state/session.ts";
import { renderPage } from "../../testing/render-page.tsx";
import { stubCalls } from "../../testing/stub-calls.ts";
import SystemPage from "./system-page.tsx";

const CALL = "GET /api/system";
const AT = 1_700_000_000;
const MEGABYTE = 1_024 * 1_024;

const server = { id: 11, name: "gateway-a", version: "1.4.0", state: "live", started_at: AT - 900, reported_at: AT, stopped_at: 0, in_flight: 7, is_this: true } as const; // prettier-ignore
const job = { name: "log retention", every_ms: 3_600_000, runs: 2, last_run_at: AT - 60, last_ms: 1_500, last_error: "", next_run_at: AT + 3_540 } as const; // prettier-ignore

function sampleState(changes: Partial<SystemState> = {}): SystemState {
  return {
    at: AT,
    servers: [server],
    database: {
      kind: "postgres",
      version: "17.2",
      bytes: 12.5 * MEGABYTE,
      is_writable: true,
      connections: { open: 3, busy: 2, waiting: 0, limit: 8 },
      all_connections: { open: 21, limit: 100 },
      failed_writes: 0,
    },
    log_store: { state: "rebuilding", progress: 0.42, behind: 1_234 },
    jobs: [job],
    outages: [],
    process: {
      node: "v24.0.0",
      memory_bytes: 300 * MEGABYTE,
      heap_bytes: 90 * MEGABYTE,
      event_loop_delay: { p50_ms: 1, p99_ms: 4, max_ms: 120 },
      budgets: [{ name: "bodies", used_bytes: 2 * MEGABYTE, limit_bytes: 64 * MEGABYTE }],
    },
    balances: { checked_at: AT - 100, differences: 0 },
    audit: { sealed_up_to: AT - 200, unsealed: 5, checked_at: 0, problems: 0 },
    ...changes,
  };
}

const render = () => renderPage(<SystemPage />, { address: "/system", texts: ["system", "shell"] });
const logInAs = (role: number) => storeUser({ id: 1, username: "root", display_name: "", role, status: 1 });
const region = async (name: string) => within(await screen.findByRole("region", { name }));

beforeEach(() => logInAs(100));
afterEach(async () => {
  vi.useRealTimers();
  clearUser();
  await changeLanguage("en");
});

test("tables and lists have the servers, the database, the process, the jobs and the balances", async () => {
  const dead = { ...server, id: 10, name: "gateway-b", state: "dead", is_this: false, in_flight: 0 } as const;
  const old = { ...server, id: 9, name: "", version: "", is_this: false, started_at: 0, reported_at: 0 } as const;
  stubCalls({ [CALL]: sampleState({ servers: [server, dead, old] }) });
  await render();
  expect((await screen.findByRole("status")).textContent).toBe("1 server died in the last 24 hours");
  const servers = await region("Servers");
  const cellsOf = (name: RegExp) => {
    const row = servers.getByRole("rowheader", { name }).closest("tr");
    return [...(row?.querySelectorAll("td") ?? [])].map((cell) => cell.textContent);
  };
  expect(cellsOf(/gateway-a.*this server/)).toEqual(["Live", "1.4.0", "7", formatTime(AT), formatTime(AT - 900)]);
  expect(cellsOf(/^gateway-b$/)[0]).toBe("Dead");
  expect(cellsOf(/Server 9.*Older version/)).toEqual(["Live", "–", "–", "–", "–"]);
  const database = await region("Database");
  for (const text of ["PostgreSQL 17.2", "Accepts writes", "12.5 MB", "2 of 8", "21 of 100"])
    expect(database.getByText(text)).toBeTruthy();
  const store = await region("Log store");
  for (const text of ["Rebuilding", "42.0%", "1,234"]) expect(store.getByText(text)).toBeTruthy();
  const process = await region("This server's process");
  for (const text of ["300 MB", "p50 1, p99 4, max 120 ms", "2 of 64 MB"]) expect(process.getByText(text)).toBeTruthy();
  const jobs = await region("Jobs of this server");
  for (const text of ["Remove old log entries", "OK", "1 hr", "1,500 ms", formatTime(AT + 3_540)])
    expect(jobs.getByText(text)).toBeTruthy();
  const balances = await region("Balances and audit trail");
  for (const text of ["All balances match the ledger", formatTime(AT - 200), "Not yet"])
    expect(balances.getByText(text)).toBeTruthy();
  expect(database.getByText("Outages since start").nextElementSibling?.textContent).toBe("None");
  expect(screen.queryByRole("region", { name: "Database outages" })).toBeNull();
});

test("failures are named: outages, failed jobs, balances that differ, a database without writes", async () => {
  const { database } = sampleState();
  stubCalls({
    [CALL]: sampleState({
      database: { ...database, kind: "sqlite", is_writable: false, all_connections: null, failed_writes: 3 },
      jobs: [{ ...job, last_error: "the disk is full" }],
      outages: [
        { started_at: AT - 20, ended_at: 0, failed_writes: 3, reason: "disk I/O error" },
        { started_at: AT - 90, ended_at: AT - 80, failed_writes: 1, reason: "" },
      ],
      balances: { checked_at: AT, differences: 2 },
      audit: { sealed_up_to: 0, unsealed: 0, checked_at: AT, problems: 4 },
    }),
  });
  await render();
  const outages = await region("Database outages");
  expect(screen.getByRole("status").textContent).toBe(
    [
      "The database does not accept writes",
      "Job failed: Remove old log entries",
      "2 balances differ from the ledger",
      "The audit trail was modified outside the gateway",
    ].join(""),
  );
  for (const text of ["Ongoing", "disk I/O error", formatTime(AT - 80), "Individual writes failed"])
    expect(outages.getByText(text)).toBeTruthy();
  expect(screen.getByText("Does not accept writes")).toBeTruthy();
  expect(screen.queryByText("Connections of all clients")).toBeNull();
  expect(screen.getByText("the disk is full")).toBeTruthy();
  expect((await region("Balances and audit trail")).getByText("2 balances differ from the ledger")).toBeTruthy();
  expect(screen.getByText("Modified outside the gateway").nextElementSibling?.textContent).toBe("4");
});

test("the numbers are loaded every 5 seconds; after a failure the last ones stay with the reason", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const answers: Record<string, unknown> = { [CALL]: sampleState() };
  const sent = stubCalls(answers);
  await render();
  await region("Servers");
  expect(screen.getByRole("status").textContent).toBe("No problems found");
  expect(sent.length).toBe(1);
  answers[CALL] = sampleState({ servers: [{ ...server, in_flight: 64 }] });
  await act(() => vi.advanceTimersByTimeAsync(5_000));
  expect(await screen.findByText("64")).toBeTruthy();
  answers[CALL] = new Error("The database is away.");
  await act(() => vi.advanceTimersByTimeAsync(30_000));
  expect((await screen.findByRole("alert")).textContent).toContain("The database is away.");
  expect(screen.getByText("64")).toBeTruthy();
});

test("a first failure offers another try", async () => {
  const answers: Record<string, unknown> = { [CALL]: new Error("The database is away.") };
  stubCalls(answers);
  await render();
  const retry = await screen.findByRole("button", { name: "Try again" }, { timeout: 10_000 });
  answers[CALL] = sampleState();
  retry.click();
  expect(await region("Servers")).toBeTruthy();
});

test("administrators see that the page is for root, and nothing is loaded", async () => {
  logInAs(10);
  const sent = stubCalls({});
  await render();
  expect(await screen.findByText("Super administrator only")).toBeTruthy();
  expect(sent).toEqual([]);
});

test("the page is in Chinese", async () => {
  stubCalls({ [CALL]: sampleState() });
  await changeLanguage("zh-CN");
  await render();
  expect(await screen.findByRole("heading", { level: 1, name: "系统" })).toBeTruthy();
  expect((await region("当前服务器的任务")).getByText("清理旧日志")).toBeTruthy();
});
