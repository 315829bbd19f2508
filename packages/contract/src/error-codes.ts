import { z } from "zod";

// HTTP status of each refusal, by what it is about: 200 where a business rule says no, by the convention of One API.

const GENERAL = {
  "invalid-input": 400,
  "not-logged-in": 401,
  "not-allowed": 403,
  "foreign-origin": 403,
  "not-found": 200,
  conflict: 200,
  "too-many-requests": 429,
  "not-enough-quota": 200,
  "not-supported": 200,
  "upstream-failed": 200,
  "not-configured": 200,
  busy: 200,
  unavailable: 503,
  internal: 500,
} as const;

const ACCOUNTS = {
  "wrong-credentials": 200,
  "account-disabled": 200,
} as const;

const CHANNELS = {} as const;

const TOKENS = {} as const;

const OPTIONS = {} as const;

/** The closed list of reasons for which the control API refuses a call, and the HTTP status of each. */
export const HTTP_STATUS_OF_ERROR = { ...GENERAL, ...ACCOUNTS, ...CHANNELS, ...TOKENS, ...OPTIONS };

/** Why a call is refused. The console has a text for each, in every language. */
export type ErrorCode = keyof typeof HTTP_STATUS_OF_ERROR;

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(HTTP_STATUS_OF_ERROR, code);
}

export const errorCodeSchema = z.enum(Object.keys(HTTP_STATUS_OF_ERROR).filter(isErrorCode));

/** What a refusal's text names: numbers, names, limits. */
export const errorValuesSchema = z.record(z.string(), z.union([z.string(), z.number()]));

export type ErrorValues = z.infer<typeof errorValuesSchema>;
