import { expect, test, vi } from "vitest";
import { createPreloads } from "./when-idle.ts";

/** A preload that ends when it is told to. */
function preload() {
  let end = () => {};
  const run = vi.fn<() => Promise<void>>(() => new Promise((resolve) => (end = resolve)));
  return { run, end: () => end() };
}

test("preloads begin once the first page has its data, and one after the other", async () => {
  const { startIdleLoading, whenIdle } = createPreloads();
  const [first, second, late] = [preload(), preload(), preload()];
  whenIdle(first.run);
  whenIdle(second.run);
  let isWaiting = true;
  startIdleLoading(() => isWaiting);
  await Promise.resolve();
  expect(first.run).not.toHaveBeenCalled();
  isWaiting = false;
  await vi.waitFor(() => expect(first.run).toHaveBeenCalled());
  whenIdle(late.run);
  expect([second.run.mock.calls.length, late.run.mock.calls.length]).toEqual([0, 0]);
  first.end();
  await vi.waitFor(() => expect(second.run).toHaveBeenCalled());
  expect(late.run).not.toHaveBeenCalled();
  second.end();
  await vi.waitFor(() => expect(late.run).toHaveBeenCalled());
});

test("a preload that fails does not keep the others back", async () => {
  const { startIdleLoading, whenIdle } = createPreloads();
  const next = preload();
  whenIdle(() => Promise.reject(new Error("no network")));
  whenIdle(next.run);
  startIdleLoading(() => false);
  await vi.waitFor(() => expect(next.run).toHaveBeenCalled());
});
