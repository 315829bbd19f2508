import { mailLanguage, type MailMessage, oneLine, utcTime } from "./mail-message.ts";

export type AccountChange =
  | "password"
  | "email"
  | "bound"
  | "unbound"
  | "totp-added"
  | "totp-removed"
  | "passkey-added"
  | "passkey-removed"
  | "recovery-codes"
  | "factors-reset"
  | "access-token"
  | "management-key"
  | "management-key-changed";

/** Content of the mail. It must not contain secrets. */
interface ChangeFacts {
  readonly username: string;
  readonly change: AccountChange;
  readonly subject: string;
  readonly at: number;
  readonly address: string;
  readonly settingsLink: string;
}

export function accountMail(system: string, facts: ChangeFacts, storedLanguage: string): MailMessage {
  const language = mailLanguage(storedLanguage);
  const { username, change, settingsLink } = facts;
  const subject = oneLine(facts.subject);
  const address = oneLine(facts.address);
  const time = utcTime(facts.at);
  const texts =
    language === "zh-CN"
      ? {
          subject: `${system} 账户安全提醒`,
          hello: `${username}，您好：${CHINESE[change](subject)}。`,
          when: address === "" ? `时间：${time}，由管理员操作。` : `时间：${time}，来自 ${address}。`,
          advice: "如果不是您本人操作，请立即重置密码、在设置中退出所有登录，并联系管理员。",
          label: "查看账户设置",
        }
      : {
          subject: `${system}: a way into your account has changed`,
          hello: `Hello ${username}, ${ENGLISH[change](subject)}.`,
          when: address === "" ? `This was at ${time}, by an administrator.` : `This was at ${time}, from ${address}.`,
          advice: "If it was not you, reset your password at once, sign out everywhere, and tell an administrator.",
          label: "Look at your account",
        };
  const link = settingsLink === "" ? [] : [{ link: settingsLink, label: texts.label }];
  const blocks = [{ text: texts.hello }, { text: texts.when }, { text: texts.advice }, ...link];
  return { language, subject: texts.subject, blocks };
}

type Sentences = Readonly<Record<AccountChange, (subject: string) => string>>;

const ENGLISH: Sentences = {
  password: () => "the password of your account was changed",
  email: (address) => `the e-mail address of your account is now ${address}`,
  bound: (provider) => `${provider} was bound to your account and can log in to it`,
  unbound: (provider) => `${provider} was unbound from your account`,
  "totp-added": () => "an authenticator app was added to your account",
  "totp-removed": () => "the authenticator app of your account was removed",
  "passkey-added": (name) => `the passkey "${name}" was added to your account`,
  "passkey-removed": (name) => `the passkey "${name}" of your account was removed`,
  "recovery-codes": () => "new recovery codes were made for your account; those before them are void",
  "factors-reset": () => "all second factors of your account were removed",
  "access-token": () => "a system access token was made for your account",
  "management-key": (name) => `a secret was made for the management key "${name}" of your account`,
  "management-key-changed": (name) => `the management key "${name}" of your account was changed`,
};

const CHINESE: Sentences = {
  password: () => "您的账户密码已更改",
  email: (address) => `您的账户邮箱现为 ${address}`,
  bound: (provider) => `${provider} 已绑定到您的账户，可用于登录`,
  unbound: (provider) => `${provider} 已与您的账户解绑`,
  "totp-added": () => "您的账户已添加身份验证器",
  "totp-removed": () => "您的账户已移除身份验证器",
  "passkey-added": (name) => `您的账户已添加通行密钥“${name}”`,
  "passkey-removed": (name) => `您的账户已移除通行密钥“${name}”`,
  "recovery-codes": () => "您的账户已生成新的恢复代码，旧的已失效",
  "factors-reset": () => "您的账户的所有第二步验证方式已被移除",
  "access-token": () => "您的账户已生成系统访问令牌",
  "management-key": (name) => `您的账户的管理密钥“${name}”已生成新密钥`,
  "management-key-changed": (name) => `您的账户的管理密钥“${name}”已更改`,
};
