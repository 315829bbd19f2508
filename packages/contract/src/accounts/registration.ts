import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { quotaSchema, turnstileSchema, unixSecondsSchema } from "../fields.ts";
import { MIN_PASSWORD_LENGTH, USER_LIMITS } from "./user-constants.ts";

/** Longest e-mail address, in characters (RFC 5321, 4.5.3.1.3, without the brackets). */
const MAX_EMAIL_LENGTH = 254;

/** Seconds for which a code or link in a mail is valid. */
export const EMAIL_CODE_SECONDS = 600;

export const emailSchema = z.pipe(
  z.string().check(z.trim(), z.toLowerCase(), z.maxLength(MAX_EMAIL_LENGTH)),
  z.email(),
);

export const registrationSchema = z.object({
  username: z.string().check(z.trim(), z.minLength(1), z.maxLength(USER_LIMITS.nameLength)),
  password: z.string().check(
    z.maxLength(USER_LIMITS.passwordLength),
    z.refine((password) => password.length >= MIN_PASSWORD_LENGTH, {
      message: `Password length must not be less than ${MIN_PASSWORD_LENGTH} characters!`,
      params: { problem: "too-short", limit: MIN_PASSWORD_LENGTH },
    }),
  ),
  password2: z.optional(z.string().check(z.maxLength(USER_LIMITS.passwordLength))),
  email: z._default(z.string().check(z.trim(), z.toLowerCase(), z.maxLength(MAX_EMAIL_LENGTH)), ""),
  verification_code: z._default(z.string().check(z.trim(), z.maxLength(64)), ""),
  /** Another user's invite code; an unknown one counts as none. */
  aff_code: z._default(z.string().check(z.trim(), z.maxLength(64)), ""),
  invitation: z._default(z.string().check(z.trim(), z.maxLength(64)), ""),
});

export type Registration = z.output<typeof registrationSchema>;
export type RegistrationInput = z.input<typeof registrationSchema>;

/** True unless the repeated password differs. */
export function repeatsPassword({ password, password2 }: Registration): boolean {
  return password2 === undefined || password2 === password;
}

export const register = defineCall({
  method: "POST",
  path: "/api/user/register",
  access: "anyone",
  summary: "Creates an account with a password; does not log in",
  query: z.object({ turnstile: turnstileSchema }),
  body: registrationSchema,
  data: z.null(),
});

export const readInvitation = defineCall({
  method: "GET",
  path: "/api/user/invitation",
  access: "anyone",
  summary:
    "Returns who invites, until when, and the first balance of the new account, by the code of an open invitation",
  query: z.object({ code: z.string().check(z.trim(), z.minLength(1), z.maxLength(64)) }),
  data: z.object({
    invited_by: z.string(),
    expires_at: unixSecondsSchema,
    quota: quotaSchema,
  }),
});

export const sendVerificationCode = defineCall({
  method: "GET",
  path: "/api/verification",
  access: "anyone",
  changesState: true,
  summary: "Sends a code to an e-mail address, for a registration or a binding",
  query: z.object({ email: emailSchema, turnstile: turnstileSchema }),
  data: z.null(),
});

export const sendPasswordReset = defineCall({
  method: "GET",
  path: "/api/reset_password",
  access: "anyone",
  changesState: true,
  summary: "Sends the mail to reset a password if an account has the address; the answer is the same either way",
  query: z.object({ email: emailSchema, turnstile: turnstileSchema }),
  data: z.null(),
});

export const resetPassword = defineCall({
  method: "POST",
  path: "/api/user/reset",
  access: "anyone",
  summary: "Sets a new random password and returns it; the token of the mail works once",
  body: z.object({ email: emailSchema, token: z.string().check(z.trim(), z.minLength(1), z.maxLength(128)) }),
  data: z.string(),
});

export const getInviteCode = defineCall({
  method: "GET",
  path: "/api/user/aff",
  access: "user",
  changesState: true,
  summary: "Returns the caller's invite code; creates it on the first call",
  data: z.string(),
});

export const bindEmailInputSchema = z.object({
  email: emailSchema,
  code: z.string().check(z.trim(), z.minLength(1), z.maxLength(64)),
});

export const bindEmail = defineCall({
  method: "GET",
  path: "/api/oauth/email/bind",
  access: "user",
  changesState: true,
  summary: "Binds an e-mail address to the own account, with the code that was sent to it",
  query: bindEmailInputSchema,
  data: z.null(),
});

export const deleteSelf = defineCall({
  method: "DELETE",
  path: "/api/user/self",
  access: "user",
  summary: "Deletes the caller's account; refused for the super administrator",
  data: z.null(),
});
