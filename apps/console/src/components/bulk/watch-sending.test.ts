import { expect, test } from "vitest";
import { hasUnsavedWork } from "../../lib/state/unsaved-work.ts";
import { watchSending } from "./watch-sending.ts";

test("what a dialog that is gone has sent counts as unsaved until it is done", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const sending = watchSending(promise);
  expect(hasUnsavedWork()).toBe(true);
  resolve();
  await sending;
  expect(hasUnsavedWork()).toBe(false);
});
