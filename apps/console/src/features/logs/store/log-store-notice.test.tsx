import { ROLE } from "@one-api/contract/accounts/roles";
import { act, cleanup, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { changeLanguage } from "../../../lib/i18n/i18n.ts";
import { clearUser } from "../../../lib/state/session.ts";
import { logIn, logOf, open, resetServed, serve, served } from "../testing/serve-logs.tsx";

beforeEach(() => {
  clearUser();
  resetServed();
});

afterEach(() => vi.useRealTimers());

const notice = async () => (await screen.findByRole("note", { name: "Status of totals and charts" })).textContent;

test("while totals and charts are being rebuilt a line says how far they are, until they are complete", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  served.store = { state: "rebuilding", progress: 0.4399 };
  logIn(ROLE.user);
  serve([logOf()]);
  await open();
  expect(await notice()).toBe("Totals and charts are being rebuilt: 43%. New entries are already listed.");
  await waitFor(() => expect(served.counted).toHaveLength(1));
  served.store = { state: "following", progress: 1 };
  await act(() => vi.advanceTimersByTimeAsync(6_000));
  await waitFor(() => expect(screen.queryByRole("note")).toBeNull());
  await waitFor(() => expect(served.counted.length, "the chart is counted again").toBe(2));
  const { storeAsked } = served;
  await act(() => vi.advanceTimersByTimeAsync(120_000));
  expect(served.storeAsked, "what is complete is not polled").toBe(storeAsked);
});

test("while they are off or stalled it says so, with what to do for those who can", async () => {
  served.store = { state: "off", progress: 0 };
  logIn(ROLE.admin);
  serve([logOf()]);
  await open();
  expect(await notice()).toMatch(/LOG_STORE is off.*See LOG_STORE in the documentation/);
  cleanup();
  logIn(ROLE.user);
  await open();
  expect(await notice()).toMatch(/Ask an administrator/);
  cleanup();
  served.store = { state: "stalled", progress: 0.9 };
  logIn(ROLE.admin);
  await open();
  expect(await notice()).toMatch(/restart the server/);
});

test("it speaks the reader's language", async () => {
  served.store = { state: "starting", progress: 0 };
  logIn(ROLE.user);
  serve([logOf()]);
  await changeLanguage("zh-CN");
  try {
    await open();
    expect((await screen.findByRole("note")).textContent).toBe("正在重建合计和图表：0%。新日志仍会照常列出。");
  } finally {
    await changeLanguage("en");
  }
});
