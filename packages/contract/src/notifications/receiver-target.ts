import { isEmail } from "../accounts/email.ts";
import type { ReceiverKind } from "./notification-constants.ts";

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
/** A numeric id, negative for groups, or the name of a public channel. */
const TELEGRAM_CHAT = /^(?:-?\d{1,20}|@\w{4,32})$/;
const TELEGRAM_TOKEN = /^\d{3,20}:[\w-]{20,100}$/;
/** By the Standard Webhooks specification: 24 to 64 bytes in Base64. */
const WEBHOOK_SECRET = /^whsec_(?:[A-Za-z\d+/]{4}){8,21}(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/;

/** True if the address has the form of the kind: a chat for Telegram, an e-mail address for mail, else a web address. */
export function isReceiverAddress(kind: ReceiverKind, address: string): boolean {
  if (kind === "mail") return isEmail(address);
  if (kind === "telegram") return TELEGRAM_CHAT.test(address);
  const url = URL.canParse(address) ? new URL(address) : undefined;
  return url?.protocol === "https:" || (url?.protocol === "http:" && LOOPBACK.test(url.hostname));
}

export function isReceiverSecret(kind: ReceiverKind, secret: string): boolean {
  if (kind === "webhook") return WEBHOOK_SECRET.test(secret);
  if (kind === "telegram") return TELEGRAM_TOKEN.test(secret);
  return (kind === "feishu" || kind === "dingtalk") && /^[!-~]+$/.test(secret);
}

/** Returns the address without its secret part: the host of a web address, else the address itself. */
export function maskReceiverAddress(kind: ReceiverKind, address: string): string {
  return kind === "mail" || kind === "telegram" ? address : `${new URL(address).origin}/…`;
}
