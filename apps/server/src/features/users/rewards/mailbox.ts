import { domainToASCII } from "node:url";

/**
 * Hosts where several addresses share a mailbox: the domains, of which the first is canonical, and ignored
 * characters.
 */
const HOSTS: readonly { readonly domains: readonly string[]; readonly ignored: RegExp }[] = [
  // support.google.com/mail/answer/7436150 (dots), support.google.com/mail/answer/10313 (googlemail.com).
  { domains: ["gmail.com", "googlemail.com"], ignored: /\./g },
  // proton.me/support/addresses-and-aliases: one name on all domains; dots, hyphens and underscores are
  // ignored.
  { domains: ["proton.me", "protonmail.com", "protonmail.ch", "pm.me"], ignored: /[._-]/g },
  // yandex.com/support/id/authorization/email: one login on all domains; dots and hyphens are equal.
  {
    domains: ["yandex.ru", "yandex.com", "yandex.by", "yandex.kz", "yandex.ua", "yandex.com.tr", "ya.ru"],
    ignored: /[.-]/g,
  },
  // support.apple.com/en-us/102532: older domains lead to the same mailbox.
  { domains: ["icloud.com", "me.com", "mac.com"], ignored: /(?!)/g },
];

/**
 * Canonical text of all addresses of a mailbox: lower case, without tag (`name+tag`) and ignored characters,
 * ASCII domain.
 * Two mailboxes may share it if their server does not support tags.
 */
export function mailboxOf(email: string): string {
  const plain = email.normalize("NFKC").trim().toLowerCase();
  const at = plain.lastIndexOf("@");
  const written = plain.slice(at + 1).replace(/\.+$/, "");
  const domain = domainToASCII(written) || written;
  const host = HOSTS.find(({ domains }) => domains.includes(domain));
  const local = plain.slice(0, at);
  // A leading plus does not begin a tag.
  const name = local.replace(/(?<=.)\+.*$/s, "");
  return `${(host === undefined ? name : name.replaceAll(host.ignored, "")) || local}@${host?.domains[0] ?? domain}`;
}
