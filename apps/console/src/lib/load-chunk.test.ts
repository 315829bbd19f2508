import { expect, onTestFinished, test, vi } from "vitest";
import { loadChunk } from "./load-chunk.ts";

test("[CONST-13] a part of the console may take two minutes to load, and no longer", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let outcome = "waits";
  void loadChunk(() => new Promise(() => undefined)).catch((error: unknown) => (outcome = String(error)));
  await vi.advanceTimersByTimeAsync(119_999);
  expect(outcome).toBe("waits");
  await vi.advanceTimersByTimeAsync(1);
  expect(outcome).toMatch(/did not load within 120 s/);
});
