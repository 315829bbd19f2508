import { isEmail } from "./email.ts";

export interface MailSender {
  readonly name: string;
  readonly address: string;
}

const NAMED = /^(?<name>[^<>]*?)\s*<(?<address>[^<>]*)>$/;

/**
 * Reads `noreply@example.com`, or `One API <noreply@example.com>` with or without quotes; undefined for other texts.
 */
export function readMailSender(text: string): MailSender | undefined {
  const { name = "", address = text } = NAMED.exec(text.trim())?.groups ?? {};
  const bare = address.trim();
  return isEmail(bare) ? { name: name.replace(/^"(.*)"$/, "$1"), address: bare } : undefined;
}
