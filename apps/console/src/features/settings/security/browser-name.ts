import { parse } from "bowser";

/** Readable browser name, for example "Chrome · macOS"; for unknown programs the first word of the user agent. */
export function browserName(userAgent: string): string {
  const { browser, os } = parse(userAgent || " ");
  const names = [browser.name, os.name].filter((name) => name !== undefined && name !== "");
  return names.length === 0 ? (userAgent.split(/[\s/]/)[0] ?? "") : names.join(" · ");
}
