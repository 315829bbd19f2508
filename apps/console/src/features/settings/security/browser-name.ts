import { parse } from "bowser";

/** A browser as people call it, for example "Chrome · macOS"; what nobody knows, such as a script, by the first word that it sends. */
export function browserName(userAgent: string): string {
  const { browser, os } = parse(userAgent || " ");
  const names = [browser.name, os.name].filter((name) => name !== undefined && name !== "");
  return names.length === 0 ? (userAgent.split(/[\s/]/)[0] ?? "") : names.join(" · ");
}
