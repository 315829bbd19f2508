import { z } from "zod";

/** The closed list of reasons for which the control API refuses a call. */
export const errorCodeSchema = z.enum([
  "invalid-input",
  "not-logged-in",
  "not-allowed",
  "foreign-origin",
  "not-found",
  "conflict",
  "wrong-credentials",
  "account-disabled",
  "too-many-requests",
  "not-enough-quota",
  "not-supported",
  "upstream-failed",
  "not-configured",
  "busy",
  "unavailable",
  "internal",
]);

export type ErrorCode = z.infer<typeof errorCodeSchema>;

/** HTTP status of each refusal: 200 where a business rule says no, by the convention of One API. */
export const HTTP_STATUS_OF_ERROR: Record<ErrorCode, number> = {
  "invalid-input": 400,
  "not-logged-in": 401,
  "not-allowed": 403,
  "foreign-origin": 403,
  "not-found": 200,
  conflict: 200,
  "wrong-credentials": 200,
  "account-disabled": 200,
  "too-many-requests": 429,
  "not-enough-quota": 200,
  "not-supported": 200,
  "upstream-failed": 200,
  "not-configured": 200,
  busy: 200,
  unavailable: 503,
  internal: 500,
};
