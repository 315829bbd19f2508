import { ApiError } from "./api-error.ts";
import { createExternalStore } from "../state/external-store.ts";

/** The ways to do the second step that a login waits for; undefined while none does. */
const store = createExternalStore<string | undefined>(undefined);

/** The ways to show a second factor that the login under way asks for, comma-separated; the component follows changes. */
export const useSecondStep = () => store.use();

/** Takes note that a login needs its second step; returns whether that is what the error says. */
export function asksSecondStep(error: unknown): boolean {
  const asks = error instanceof ApiError && error.code === "second-factor-needed";
  if (asks) store.set(String(error.values?.["ways"] ?? ""));
  return asks;
}

/** The login is through, or begins anew. */
export const leaveSecondStep = () => store.set(undefined);
