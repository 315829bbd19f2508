import { ApiError } from "./api-error.ts";
import { createExternalStore } from "../state/external-store.ts";

/** Methods of the second step that a login waits for, comma-separated; undefined while none does. */
const store = createExternalStore<string | undefined>(undefined);

/** Methods of the pending second step, comma-separated; follows changes. */
export const useSecondStep = () => store.use();

/** Records that a login needs its second step; returns whether the error says so. */
export function asksSecondStep(error: unknown): boolean {
  const asks = error instanceof ApiError && error.code === "second-factor-needed";
  if (asks) store.set(String(error.values?.["ways"] ?? ""));
  return asks;
}

/** Ends the second step: the login succeeded, or begins again. */
export const leaveSecondStep = () => store.set(undefined);
