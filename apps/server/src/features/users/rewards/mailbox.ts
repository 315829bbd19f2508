import { domainToASCII } from "node:url";

/** Hosts where several addresses lead to one mailbox: their domains, the first of which stands for all, and the signs that they ignore. */
const HOSTS: readonly { readonly domains: readonly string[]; readonly ignored: RegExp }[] = [
  // support.google.com/mail/answer/7436150 (dots), support.google.com/mail/answer/10313 (googlemail.com).
  { domains: ["gmail.com", "googlemail.com"], ignored: /\./g },
  // proton.me/support/addresses-and-aliases: one name on all domains; dots, hyphens and underscores do not make another mailbox.
  { domains: ["proton.me", "protonmail.com", "protonmail.ch", "pm.me"], ignored: /[._-]/g },
  // yandex.com/support/id/authorization/email: one login on all domains; dots and hyphens are interchangeable in it.
  {
    domains: ["yandex.ru", "yandex.com", "yandex.by", "yandex.kz", "yandex.ua", "yandex.com.tr", "ya.ru"],
    ignored: /[.-]/g,
  },
  // support.apple.com/en-us/102532: addresses at the older domains lead to the same mailbox.
  { domains: ["icloud.com", "me.com", "mac.com"], ignored: /(?!)/g },
];

/**
 * Returns one text for all addresses of a mailbox: without case, tag (`name+tag`) and the signs that its host ignores, its domain in ASCII.
 * Two mailboxes may share a text, where a server does not know tags.
 */
export function mailboxOf(email: string): string {
  const plain = email.normalize("NFKC").trim().toLowerCase();
  const at = plain.lastIndexOf("@");
  const written = plain.slice(at + 1).replace(/\.+$/, "");
  const domain = domainToASCII(written) || written;
  const host = HOSTS.find(({ domains }) => domains.includes(domain));
  const local = plain.slice(0, at);
  // A name that begins with a plus has no tag.
  const name = local.replace(/(?<=.)\+.*$/s, "");
  return `${(host === undefined ? name : name.replaceAll(host.ignored, "")) || local}@${host?.domains[0] ?? domain}`;
}
