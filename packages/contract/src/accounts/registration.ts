import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { turnstileSchema } from "../fields.ts";
import { MIN_PASSWORD_LENGTH } from "./user-constants.ts";

/** Longest e-mail address, in characters (RFC 5321, 4.5.3.1.3, without the brackets). */
const MAX_EMAIL_LENGTH = 254;
const MAX_PASSWORD_LENGTH = 128;
const MAX_USERNAME_LENGTH = 64;

/** Seconds before a button that sends a mail is enabled again. */
export const MAIL_COUNTDOWN_SECONDS = 30;

/** Seconds for which a code or link in a mail is valid. */
export const EMAIL_CODE_SECONDS = 600;

const emailSchema = z.pipe(z.string().check(z.trim(), z.toLowerCase(), z.maxLength(MAX_EMAIL_LENGTH)), z.email());

const registrationSchema = z.object({
  username: z.string().check(z.trim(), z.minLength(1), z.maxLength(MAX_USERNAME_LENGTH)),
  password: z.string().check(
    z.maxLength(MAX_PASSWORD_LENGTH),
    z.refine((password) => password.length >= MIN_PASSWORD_LENGTH, {
      message: `Password length must not be less than ${MIN_PASSWORD_LENGTH} characters!`,
      params: { problem: "too-short", limit: MIN_PASSWORD_LENGTH },
    }),
  ),
  /** The password once more; optional, for clients that have compared the two. */
  password2: z.optional(z.string().check(z.maxLength(MAX_PASSWORD_LENGTH))),
  email: z._default(z.string().check(z.trim(), z.toLowerCase(), z.maxLength(MAX_EMAIL_LENGTH)), ""),
  verification_code: z._default(z.string().check(z.trim(), z.maxLength(64)), ""),
  /** Another user's invite code; an unknown one counts as none. */
  aff_code: z._default(z.string().check(z.trim(), z.maxLength(64)), ""),
  /** Code of an administrator's invitation; empty for none. */
  invitation: z._default(z.string().check(z.trim(), z.maxLength(64)), ""),
});

export type Registration = z.output<typeof registrationSchema>;
export type RegistrationInput = z.input<typeof registrationSchema>;

export const register = defineCall({
  method: "POST",
  path: "/api/user/register",
  access: "anyone",
  summary: "Creates an account with a password; does not log in",
  query: z.object({ turnstile: turnstileSchema }),
  body: registrationSchema,
  data: z.null(),
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

export const bindEmail = defineCall({
  method: "GET",
  path: "/api/oauth/email/bind",
  access: "user",
  changesState: true,
  summary: "Binds an e-mail address to the caller's account with the code that was sent to it",
  query: z.object({ email: emailSchema, code: z.string().check(z.trim(), z.minLength(1), z.maxLength(64)) }),
  data: z.null(),
});

export const deleteSelf = defineCall({
  method: "DELETE",
  path: "/api/user/self",
  access: "user",
  summary: "Deletes the caller's account; refused for the super administrator",
  data: z.null(),
});
