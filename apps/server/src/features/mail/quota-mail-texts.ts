import { LAST_SECOND } from "@one-api/contract/constants";
import type { OptionStore } from "../../core/option-store.ts";
import { mailLanguage, type MailMessage, oneLine, utcTime } from "./mail-message.ts";

interface TokenFacts {
  readonly token: string;
  /** Remaining quota as displayed; undefined for unlimited. */
  readonly left: string | undefined;
  readonly expiresAt: number;
}

export type TokenOccasion = "balance" | "expiry" | "quota-low" | "quota-used-up" | "expires-soon" | "expired";

/** The mail about a token's quota or expiry. `language` is an `Accept-Language` or a stored language. */
export function tokenMail(
  system: string,
  occasion: TokenOccasion,
  { token, left, expiresAt }: TokenFacts,
  language: string | undefined,
): MailMessage {
  const name = oneLine(token);
  if (mailLanguage(language) === "zh-CN") {
    const amount = `令牌“${name}”的剩余额度：${left ?? "无限"}。`;
    const time = `令牌“${name}”的过期时间：${expiryTime(expiresAt, "永不过期")}。`;
    const texts = {
      balance: { title: "令牌余额提醒", text: amount },
      expiry: { title: "令牌过期提醒", text: time },
      "quota-low": { title: "令牌余额不足", text: `${amount}剩余额度不超过原有的 20%。` },
      "quota-used-up": {
        title: "令牌额度已用尽",
        text: `令牌“${name}”的额度已用尽（剩余 ${left ?? "0"}），使用它的请求会被拒绝，直到增加额度。`,
      },
      "expires-soon": { title: "令牌即将过期", text: time },
      expired: { title: "令牌已过期", text: `${time}使用它的请求会被拒绝，直到延长有效期。` },
    } as const;
    const { title, text } = texts[occasion];
    return { language: "zh-CN", subject: `${system} ${title}`, blocks: [{ text }] };
  }
  const amount = `Remaining quota of the token "${name}": ${left ?? "unlimited"}.`;
  const time = `Expiry of the token "${name}": ${expiryTime(expiresAt, "never")}.`;
  const texts = {
    balance: { title: "token balance", text: amount },
    expiry: { title: "token expiry", text: time },
    "quota-low": { title: "token quota is low", text: `${amount} That is 20 % or less of what it had.` },
    "quota-used-up": {
      title: "token quota is used up",
      text: `The quota of the token "${name}" is used up (${left ?? "0"} left). Calls with it are refused until quota is added.`,
    },
    "expires-soon": { title: "token expires soon", text: time },
    expired: { title: "token has expired", text: `${time} Calls with it are refused until it is prolonged.` },
  } as const;
  const { title, text } = texts[occasion];
  return { language: "en", subject: `${system} ${title}`, blocks: [{ text }] };
}

function expiryTime(seconds: number, never: string): string {
  return seconds < 0 || seconds > LAST_SECOND ? never : utcTime(seconds);
}

interface QuotaFacts {
  readonly username: string;
  readonly left: string;
  readonly usedUp: boolean;
  readonly topUpLink: string;
}

export function quotaMail(
  system: string,
  { username, left, usedUp, topUpLink }: QuotaFacts,
  storedLanguage: string,
): MailMessage {
  const language = mailLanguage(storedLanguage);
  const texts =
    language === "zh-CN"
      ? {
          subject: usedUp ? `${system} 额度已用尽` : `${system} 额度即将用尽`,
          text: usedUp
            ? `${username}，您好，您的额度已用尽（剩余 ${left}），请求会被拒绝，直到充值。`
            : `${username}，您好，您的剩余额度为 ${left}，为了不影响使用，请及时充值。`,
          label: "充值",
        }
      : {
          subject: usedUp ? `${system}: your quota is used up` : `${system}: your quota is low`,
          text: usedUp
            ? `Hello ${username}, your quota is used up (${left} left). Calls are refused until you top up.`
            : `Hello ${username}, ${left} of your quota is left. Top up in time, so that calls are not refused.`,
          label: "Top up",
        };
  const link = topUpLink === "" ? [] : [{ link: topUpLink, label: texts.label }];
  return { language, subject: texts.subject, blocks: [{ text: texts.text }, ...link] };
}

/** Quota in dollars with two decimals, or six below a cent; the plain number if the options say so. */
export function amountText(options: OptionStore, quota: number): string {
  if (!options.flag("DisplayInCurrencyEnabled")) return String(quota);
  const dollars = quota / options.number("QuotaPerUnit");
  const decimals = quota === 0 || dollars >= 0.01 ? 2 : 6;
  return `$${dollars.toLocaleString("en-US", { minimumFractionDigits: decimals, maximumFractionDigits: decimals })}`;
}
