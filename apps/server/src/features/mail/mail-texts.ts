import { EMAIL_CODE_SECONDS } from "@one-api/contract/accounts/registration";
import { mailLanguage, type MailMessage } from "./mail-message.ts";

const MINUTES = EMAIL_CODE_SECONDS / 60;

export function codeMail(system: string, code: string, acceptLanguage: string | undefined): MailMessage {
  const language = mailLanguage(acceptLanguage);
  if (language === "zh-CN")
    return {
      language,
      subject: `${system} 邮箱验证码`,
      blocks: [
        { text: `您好，您正在 ${system} 验证邮箱。您的验证码是：` },
        { code },
        { text: `验证码 ${MINUTES} 分钟内有效。如果不是您本人操作，请忽略此邮件。` },
      ],
    };
  return {
    language,
    subject: `${system} verification code`,
    blocks: [
      { text: `You are verifying your e-mail address at ${system}. Your verification code is:` },
      { code },
      { text: `It is valid for ${MINUTES} minutes. If it was not you who asked for it, ignore this mail.` },
    ],
  };
}

/** Sent to the address of an existing account for which a code was requested. */
export function addressTakenMail(system: string, acceptLanguage: string | undefined): MailMessage {
  const language = mailLanguage(acceptLanguage);
  if (language === "zh-CN")
    return {
      language,
      subject: `${system} 邮箱已被使用`,
      blocks: [
        { text: `您好，有人请求用此邮箱在 ${system} 注册或绑定，但此邮箱已属于一个账户。` },
        { text: "您可以直接登录，或重置密码。如果不是您本人操作，请忽略此邮件。" },
      ],
    };
  return {
    language,
    subject: `Your address at ${system}`,
    blocks: [
      {
        text: `Somebody asked for a verification code for this address at ${system}, but it belongs to an account already.`,
      },
      { text: "Log in, or reset your password. If it was not you who asked, ignore this mail." },
    ],
  };
}

export function resetMail(system: string, link: string, acceptLanguage: string | undefined): MailMessage {
  const language = mailLanguage(acceptLanguage);
  if (language === "zh-CN")
    return {
      language,
      subject: `${system} 密码重置`,
      blocks: [
        { text: `您好，您正在 ${system} 重置密码。打开链接并确认：` },
        { link, label: "重置密码" },
        { text: `链接 ${MINUTES} 分钟内有效。如果不是您本人操作，请忽略此邮件。` },
      ],
    };
  return {
    language,
    subject: `${system} password reset`,
    blocks: [
      { text: `You are resetting your password at ${system}. Open the link and confirm:` },
      { link, label: "Reset the password" },
      { text: `It is valid for ${MINUTES} minutes. If it was not you who asked for it, ignore this mail.` },
    ],
  };
}

export function testMail(system: string, acceptLanguage: string | undefined): MailMessage {
  const language = mailLanguage(acceptLanguage);
  if (language === "zh-CN")
    return {
      language,
      subject: `${system} 测试消息`,
      blocks: [{ text: `这是一条来自 ${system} 的测试消息，设置正常。` }],
    };
  return {
    language,
    subject: `${system} test message`,
    blocks: [{ text: `This is a test message from ${system}. The settings work.` }],
  };
}
