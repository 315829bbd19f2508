import type { MenuEntryName } from "../menu-entries.ts";

/** Second key of the chord that opens a page; the first is G. */
export const PAGE_KEYS: Readonly<Partial<Record<MenuEntryName, string>>> = {
  home: "h",
  dashboard: "d",
  channel: "c",
  token: "t",
  playground: "p",
  redemption: "r",
  topup: "w",
  user: "u",
  log: "l",
  audit: "a",
  system: "y",
  pricing: "m",
  status: "e",
  setting: "s",
};
