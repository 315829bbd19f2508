import type { OptionKey } from "@one-api/contract/option";
import { invalidOption } from "./invalid-option.ts";
import type { ParsedOption } from "./parsed-option.ts";

/** Markdown or HTML of several lines. */
const PAGE_TEXTS: readonly OptionKey[] = ["Notice", "About", "HomePageContent", "Footer"];
const MAX_PAGE_LENGTH = 65_536;
const MAX_LINE_LENGTH = 4_096;

/** Reads a text: the page texts as they are, all others one line. Throws `invalid-input` naming the option. */
export function readText(key: OptionKey, text: string): ParsedOption {
  const isPage = PAGE_TEXTS.includes(key);
  const tidy = isPage ? text : text.trim();
  const maxLength = isPage ? MAX_PAGE_LENGTH : MAX_LINE_LENGTH;
  if (tidy.length > maxLength) throw invalidOption(`${key} must have at most ${maxLength} characters.`);
  // A line break in a name or an address would end up in mail headers.
  if (!isPage && /\p{Cc}/u.test(tidy)) throw invalidOption(`${key} must be one line without control characters.`);
  return { text: tidy, value: tidy };
}
