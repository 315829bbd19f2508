import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { idParamsSchema, unixSecondsSchema } from "../fields.ts";
import { sessionUserSchema } from "./user.ts";

export const RECOVERY_CODES = 10;

export const PASSKEY_LIMITS = { perAccount: 20, nameLength: 64 } as const;

/** Second steps of a login. A recovery code is always accepted too. */
const SECOND_FACTORS = ["totp", "passkey"] as const;

export type SecondFactor = (typeof SECOND_FACTORS)[number];

/** A code of the authenticator app (six digits) or a recovery code; spaces and hyphens do not matter. */
const factorCodeSchema = z.string().check(z.trim(), z.maxLength(32));

export const codeInputSchema = z.object({ code: /* @__PURE__ */ factorCodeSchema.check(z.minLength(1)) });

const base64UrlSchema = z.string().check(z.maxLength(16_384), z.regex(/^[\w-]+$/));

/** Challenge of a login or proof (WebAuthn, PublicKeyCredentialRequestOptions). */
const passkeyQuestionSchema = z.object({
  challenge: z.string(),
  domain: z.string(),
  /** Ids of the passkeys that may sign; empty for any. */
  allowed: z.array(z.string()),
});

export type PasskeyQuestion = z.infer<typeof passkeyQuestionSchema>;

/** Signature of a passkey (WebAuthn, AuthenticatorAssertionResponse), each field in base64url. */
const passkeyAnswerSchema = z.object({
  id: base64UrlSchema,
  client_data: base64UrlSchema,
  authenticator_data: base64UrlSchema,
  signature: base64UrlSchema,
});

export type PasskeyAnswer = z.infer<typeof passkeyAnswerSchema>;

/** Proof of the owner for a change of factors: the password and one of the factors, as far as the account has them. */
export const proofSchema = z.object({
  password: z._default(z.string().check(z.maxLength(128)), ""),
  code: z._default(factorCodeSchema, ""),
  passkey: z.optional(passkeyAnswerSchema),
});

export type Proof = z.input<typeof proofSchema>;

const passkeySchema = z.object({
  id: z.int(),
  name: z.string(),
  created_at: unixSecondsSchema,
  last_used_at: unixSecondsSchema,
});

export type Passkey = z.infer<typeof passkeySchema>;

export const finishLogin = defineCall({
  method: "POST",
  path: "/api/user/login/code",
  access: "anyone",
  summary: "Does the second step of a login with a code, in the browser that did the first",
  body: codeInputSchema,
  data: sessionUserSchema,
});

export const askLoginPasskey = defineCall({
  method: "POST",
  path: "/api/user/login/passkey/begin",
  access: "anyone",
  summary: "Returns the challenge that a passkey signs for a login without a password, or for the second step of one",
  body: z.object({ is_second_step: z._default(z.boolean(), false) }),
  data: passkeyQuestionSchema,
});

export const logInWithPasskey = defineCall({
  method: "POST",
  path: "/api/user/login/passkey",
  access: "anyone",
  summary: "Logs in with a passkey's signature",
  body: passkeyAnswerSchema,
  data: sessionUserSchema,
});

export const getFactors = defineCall({
  method: "GET",
  path: "/api/user/factors",
  access: "user",
  summary: "Lists the caller's second factors, without their secrets",
  data: z.object({
    /** When the authenticator app was confirmed; 0 for none. */
    totp_since: unixSecondsSchema,
    recovery_codes_left: z.int(),
    passkeys: z.array(passkeySchema),
    proof: z.array(z.enum(["password", "factor"])),
    /** True while the role's rights are suspended until a second factor exists. */
    is_required: z.boolean(),
  }),
});

export const beginTotp = defineCall({
  method: "POST",
  path: "/api/user/factors/totp/begin",
  access: "user",
  summary: "Creates a key for an authenticator app; it takes effect once a code has confirmed it",
  body: z.object({ proof: proofSchema }),
  data: z.object({ uri: z.string(), manual_entry: z.string() }),
});

export const confirmTotp = defineCall({
  method: "POST",
  path: "/api/user/factors/totp",
  access: "user",
  summary: "Confirms the authenticator app with a code; answers recovery codes when they are new",
  body: codeInputSchema,
  data: z.object({ recovery_codes: z.array(z.string()) }),
});

export const removeTotp = defineCall({
  method: "POST",
  path: "/api/user/factors/totp/remove",
  access: "user",
  summary: "Removes the authenticator app",
  body: z.object({ proof: proofSchema }),
  data: z.null(),
});

export const createRecoveryCodes = defineCall({
  method: "POST",
  path: "/api/user/factors/recovery_codes",
  access: "user",
  summary: "Replaces the recovery codes with ten new ones, which are returned only once",
  body: z.object({ proof: proofSchema }),
  data: z.object({ recovery_codes: z.array(z.string()) }),
});

export const askProofPasskey = defineCall({
  method: "POST",
  path: "/api/user/factors/passkeys/ask",
  access: "user",
  summary: "Returns the challenge that one of the caller's passkeys signs to prove a change of factors",
  data: passkeyQuestionSchema,
});

export const PROOF_SECONDS = 600;

export const proveSession = defineCall({
  method: "POST",
  path: "/api/user/factors/proof",
  access: "user",
  summary:
    "Proves the session's owner by password or second factor; for ten minutes it may set a password, bind, unbind and create an access token",
  body: z.object({ proof: proofSchema }),
  data: z.null(),
});

export const beginPasskey = defineCall({
  method: "POST",
  path: "/api/user/factors/passkeys/begin",
  access: "user",
  summary: "Returns the options to create a passkey (WebAuthn, PublicKeyCredentialCreationOptions)",
  body: z.object({ proof: proofSchema }),
  data: z.object({
    challenge: z.string(),
    domain: z.string(),
    system_name: z.string(),
    user_handle: z.string(),
    username: z.string(),
    display_name: z.string(),
    known: z.array(z.string()),
  }),
});

export const passkeyNameSchema = z.string().check(z.trim(), z.minLength(1), z.maxLength(PASSKEY_LIMITS.nameLength));

export const addPasskey = defineCall({
  method: "POST",
  path: "/api/user/factors/passkeys",
  access: "user",
  summary: "Adds the passkey that the browser created; returns recovery codes if they are new",
  body: z.object({
    name: passkeyNameSchema,
    id: base64UrlSchema,
    client_data: base64UrlSchema,
    attestation: base64UrlSchema,
  }),
  data: z.object({ passkey: passkeySchema, recovery_codes: z.array(z.string()) }),
});

export type NewPasskey = z.infer<typeof addPasskey.body>;

export const renamePasskey = defineCall({
  method: "PUT",
  path: "/api/user/factors/passkeys/:id",
  access: "user",
  summary: "Renames one of the caller's passkeys",
  params: idParamsSchema,
  body: z.object({ name: passkeyNameSchema }),
  data: z.null(),
});

export const removePasskey = defineCall({
  method: "POST",
  path: "/api/user/factors/passkeys/:id/remove",
  access: "user",
  summary: "Removes one of the caller's passkeys",
  params: idParamsSchema,
  body: z.object({ proof: proofSchema }),
  data: z.null(),
});

export const resetFactors = defineCall({
  method: "POST",
  path: "/api/user/:id/factors/reset",
  access: "admin",
  summary: "Removes the second factors of a user of a lower role, and ends the user's sessions",
  params: idParamsSchema,
  data: z.null(),
});
