import { EMAIL_CODE_SECONDS } from "@one-api/contract/registration";
import type { Mail } from "./mailer.ts";

/** What a mail says, in the language of who asked for it. */
type MailText = Omit<Mail, "to">;

const MINUTES = EMAIL_CODE_SECONDS / 60;

/** True when the reader's browser asks for Chinese first. */
function readsChinese(acceptLanguage: string | undefined): boolean {
  return /^\s*zh\b/i.test(acceptLanguage ?? "");
}

/** The mail with a code that proves an address. */
export function codeMail(system: string, code: string, language: string | undefined): MailText {
  if (readsChinese(language))
    return {
      subject: `${system} 邮箱验证码`,
      text: `您好，您正在 ${system} 验证邮箱。\n\n您的验证码是：${code}\n\n验证码 ${MINUTES} 分钟内有效。如果不是您本人操作，请忽略此邮件。`,
    };
  return {
    subject: `${system} verification code`,
    text: `You are verifying your e-mail address at ${system}.\n\nYour verification code is: ${code}\n\nIt is valid for ${MINUTES} minutes. If it was not you who asked for it, ignore this mail.`,
  };
}

/** What somebody gets whose address is asked a code for although it belongs to an account. */
export function addressTakenMail(system: string, language: string | undefined): MailText {
  if (readsChinese(language))
    return {
      subject: `${system} 邮箱已被使用`,
      text: `您好，有人请求用此邮箱在 ${system} 注册或绑定，但此邮箱已属于一个账户。\n\n您可以直接登录，或重置密码。如果不是您本人操作，请忽略此邮件。`,
    };
  return {
    subject: `Your address at ${system}`,
    text: `Somebody asked for a verification code for this address at ${system}, but it belongs to an account already.\n\nLog in, or reset your password. If it was not you who asked, ignore this mail.`,
  };
}

/** The mail that a password is reset with. */
export function resetMail(system: string, link: string, language: string | undefined): MailText {
  if (readsChinese(language))
    return {
      subject: `${system} 密码重置`,
      text: `您好，您正在 ${system} 重置密码。\n\n打开此链接并确认：\n${link}\n\n链接 ${MINUTES} 分钟内有效。如果不是您本人操作，请忽略此邮件。`,
    };
  return {
    subject: `${system} password reset`,
    text: `You are resetting your password at ${system}.\n\nOpen this link and confirm:\n${link}\n\nIt is valid for ${MINUTES} minutes. If it was not you who asked for it, ignore this mail.`,
  };
}

/** The mail that shows that mails arrive. */
export function testMail(system: string, language: string | undefined): MailText {
  if (readsChinese(language))
    return { subject: `${system} 测试邮件`, text: `这是一封来自 ${system} 的测试邮件，邮件设置正常。` };
  return { subject: `${system} test mail`, text: `This is a test mail from ${system}. The mail settings work.` };
}

/** What a mail tells of a token. */
interface TokenFacts {
  readonly token: string;
  /** What is left; undefined for unlimited. */
  readonly dollars: number | undefined;
  /** Unix time in seconds; -1 for never. */
  readonly expiresAt: number;
}

/** The mail about what is left of a token, or about when it expires. */
export function tokenMail(
  system: string,
  about: "balance" | "expired",
  { token, dollars, expiresAt }: TokenFacts,
  language: string | undefined,
): MailText {
  const chinese = readsChinese(language);
  const amount = dollars === undefined ? (chinese ? "无限" : "unlimited") : `$${dollars.toFixed(2)}`;
  const time = `${new Date(expiresAt * 1000).toISOString().slice(0, 16).replace("T", " ")} UTC`;
  const expiry = expiresAt === -1 ? (chinese ? "永不过期" : "never") : time;
  if (chinese)
    return about === "balance"
      ? { subject: `${system} 令牌余额提醒`, text: `令牌“${token}”的剩余额度：${amount}。` }
      : { subject: `${system} 令牌过期提醒`, text: `令牌“${token}”的过期时间：${expiry}。` };
  return about === "balance"
    ? { subject: `${system} token balance`, text: `Remaining quota of the token "${token}": ${amount}.` }
    : { subject: `${system} token expiry`, text: `Expiry of the token "${token}": ${expiry}.` };
}
