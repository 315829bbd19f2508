import * as z from "zod/mini";

// HTTP status of each refusal by subject: 200 for business rules, by One API's convention.

const GENERAL = {
  "invalid-input": 400,
  "not-logged-in": 401,
  "not-allowed": 403,
  "foreign-origin": 403,
  "not-found": 200,
  "several-hosts": 400,
  "several-credentials": 400,
  "body-not-json": 400,
  "body-repeated-name": 400,
  "idempotency-key-reused": 422,
  "body-too-big": 413,
  "body-media-type": 415,
  "not-supported": 200,
  "upstream-failed": 200,
  unavailable: 503,
  internal: 500,
} as const;

const ACCOUNTS = {
  "wrong-credentials": 200,
  "account-disabled": 200,
  "login-by-password-off": 200,
  "login-root-locked-out": 200,
  "login-default-password-host": 403,
  "login-throttled": 429,
  "login-busy": 200,
  "user-username-taken": 200,
  "user-name-control-characters": 400,
  "user-username-at-sign": 400,
  "user-username-look-alike": 400,
  "user-not-found": 200,
  "user-not-below-you": 403,
  "user-promote-root-only": 403,
  "user-is-administrator": 200,
  "user-is-regular": 200,
  "user-group-unknown": 400,
  "token-group-not-own": 400,
  "user-quota-full": 200,
  "management-key-invalid": 401,
  "management-key-network": 403,
  "management-key-scope": 403,
  "management-key-call": 403,
  "management-key-not-found": 200,
  "management-keys-full": 200,
} as const;

const FACTORS = {
  "second-factor-needed": 200,
  "second-factor-missing": 403,
  "login-step-over": 200,
  "factor-password-wrong": 200,
  "factor-code-wrong": 200,
  "factor-proof-missing": 200,
  "proof-needed": 403,
  "totp-exists": 200,
  "totp-not-begun": 200,
  "passkey-refused": 200,
  "passkey-unknown": 200,
  "passkey-exists": 200,
  "passkey-not-found": 200,
  "passkeys-full": 200,
  "session-not-found": 200,
} as const;

const REGISTRATION = {
  "registration-off": 200,
  "registration-by-password-off": 200,
  "passwords-differ": 400,
  "email-missing": 400,
  "email-domain-refused": 200,
  "email-taken": 200,
  "email-code-wrong": 200,
  "reset-link-wrong": 200,
  "server-address-missing": 200,
  "human-check-missing": 400,
  "human-check-failed": 200,
  "too-many-requests": 429,
  "root-stays": 200,
  "mail-failed": 200,
  "invitation-missing": 200,
  "invitation-wrong": 200,
  "invitation-not-found": 200,
  "invitation-used": 200,
} as const;

const OAUTH = {
  "oauth-off": 200,
  "oauth-state-wrong": 403,
  "oauth-refused": 200,
  "oauth-unreachable": 200,
  "oauth-taken": 200,
  "oidc-untrusted": 200,
  "last-way-in": 200,
} as const;

const CHANNELS = {
  "channel-not-found": 200,
  "channel-type-unknown": 400,
  "channel-models-missing": 400,
  "channel-too-many-pairs": 400,
  "channel-too-many-tags": 400,
  "channel-status-not-settable": 400,
  "channel-region-form": 400,
  "channel-region-missing": 400,
  "channel-region-unknown": 400,
  "channel-project-missing": 400,
  "channel-account-id-missing": 400,
  "channel-knowledge-base-missing": 400,
  "channel-key-for-new-type": 400,
  "channel-key-for-new-address": 400,
  "channel-base-url-missing": 400,
  "channel-base-url-login": 400,
  "channel-base-url-query": 400,
  "channel-base-url-metadata": 400,
  "channel-proxy-login": 400,
  "channel-proxy-metadata": 400,
  "channel-key-form": 400,
  "channel-key-line-form": 400,
  "channel-key-lines": 400,
  "channel-key-one-line": 400,
  "channel-key-bearer": 400,
  "channel-key-characters": 400,
  "channel-keys-full": 400,
  "channel-key-last": 200,
  "channel-key-not-found": 200,
  "channel-unreadable": 200,
  "channel-decision-over": 200,
  "channel-models-not-offered": 200,
  "channel-models-failed": 200,
  "channel-nothing-to-test": 200,
  "channel-test-failed": 200,
  "channel-test-running": 200,
  "channel-balance-not-offered": 200,
  "channel-balance-failed": 200,
  "channel-balance-missing": 200,
} as const;

const TOKENS = {
  "token-not-found": 200,
  "token-expired": 200,
  "token-exhausted": 200,
  "token-status": 400,
  "token-quota-above-own": 200,
  "token-recharge-too-big": 400,
  "token-subnet": 400,
  "token-bodies-off": 200,
  "token-no-old-key": 200,
  "token-batch-name-too-long": 400,
  "token-without-email": 200,
  "mail-not-set-up": 200,
} as const;

const REDEMPTIONS = {
  "redemption-not-found": 200,
  "redemption-code-unknown": 200,
  "redemption-code-used": 200,
  "redemption-code-disabled": 200,
  "redemption-status": 400,
  "redemption-quota-full": 200,
} as const;

const OPTIONS = {
  "pusher-not-set-up": 200,
  "pusher-failed": 200,
  "receiver-not-found": 200,
  "receiver-failed": 200,
  "receiver-address-metadata": 400,
  "receivers-full": 200,
  "proxy-not-set-up": 200,
  "proxy-failed": 200,
  "option-unknown": 400,
  "option-root-only": 403,
  "option-not-one-of": 400,
  "option-whole-number": 400,
  "option-number": 400,
  "option-decimals": 400,
  "option-too-long": 400,
  "option-one-line": 400,
  "option-address": 400,
  "option-address-metadata": 400,
  "option-address-secret": 400,
  "option-address-query": 400,
  "option-issuer": 400,
  "option-limits": 400,
  "option-aliases": 400,
  "option-prices": 400,
  "option-host": 400,
  "option-sender": 400,
  "option-domains": 400,
  "option-json": 400,
  "option-json-object": 400,
  "option-ratio": 400,
  "option-ratio-name": 400,
  "option-ratio-twice": 400,
  "option-ratio-space": 400,
  "option-needs": 200,
  "option-needed": 200,
  "configuration-deletes": 200,
  "configuration-name-twice": 400,
  "configuration-several-keys": 400,
  "configuration-too-many-pairs": 400,
} as const;

const REST = {
  "log-export-running": 429,
  "log-clearing-running": 200,
  "log-store-off": 503,
  "log-store-busy": 503,
  "log-store-failed": 503,
  "log-question-too-long": 503,
  "views-full": 200,
  "update-address-missing": 200,
  "update-check-failed": 200,
  "pricing-off": 200,
  "price-list-failed": 200,
  "price-list-gone": 200,
  "status-page-off": 200,
} as const;

/** Closed list of the control API's error codes, each with its HTTP status. */
export const HTTP_STATUS_OF_ERROR = {
  ...GENERAL,
  ...ACCOUNTS,
  ...FACTORS,
  ...REGISTRATION,
  ...OAUTH,
  ...CHANNELS,
  ...TOKENS,
  ...REDEMPTIONS,
  ...OPTIONS,
  ...REST,
};

export type ErrorCode = keyof typeof HTTP_STATUS_OF_ERROR;

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(HTTP_STATUS_OF_ERROR, code);
}

export const errorCodeSchema = z.enum(Object.keys(HTTP_STATUS_OF_ERROR).filter(isErrorCode));

export const errorValuesSchema = z.record(z.string(), z.union([z.string(), z.number()]));

export type ErrorValues = z.infer<typeof errorValuesSchema>;
