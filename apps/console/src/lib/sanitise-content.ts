import DOMPurify from "dompurify";
import { marked } from "marked";
import { applySafeStyle } from "./safe-style.ts";

/** Style attributes travel under this name while the text is parsed, so that the browser does not meet them. */
const STYLE_CARRIER = "data-safe-style";

const rules = {
  RETURN_DOM_FRAGMENT: true,
  USE_PROFILES: { html: true },
  FORBID_TAGS: ["style", "form", "input", "button", "textarea", "select", "option", "dialog", "template"],
  FORBID_ATTR: ["style", "id", "name", "class", "target", "rel", "srcset", "popovertarget"],
} as const;

function finishLink(link: HTMLAnchorElement): void {
  link.rel = "noopener noreferrer nofollow";
  if (!link.getAttribute("href")?.startsWith("#")) link.target = "_blank";
}

/**
 * Returns what is harmless of a Markdown or HTML text: Markdown is rendered first, then the result is sanitised.
 * Links open in a new tab and tell nothing about where they were followed from.
 */
export function sanitiseContent(content: string, format: "markdown" | "html"): DocumentFragment {
  const html = format === "markdown" ? marked.parse(content, { async: false, gfm: true }) : content;
  const carried = html.replaceAll(/(<[a-z][^>]*?\s)style(\s*=)/gi, `$1${STYLE_CARRIER}$2`);
  const fragment = DOMPurify.sanitize(carried, {
    ...rules,
    FORBID_TAGS: [...rules.FORBID_TAGS],
    FORBID_ATTR: [...rules.FORBID_ATTR],
  });
  for (const element of fragment.querySelectorAll<HTMLElement>(`[${STYLE_CARRIER}]`)) {
    applySafeStyle(element, element.getAttribute(STYLE_CARRIER) ?? "");
    element.removeAttribute(STYLE_CARRIER);
  }
  for (const link of fragment.querySelectorAll("a")) finishLink(link);
  for (const image of fragment.querySelectorAll("img")) image.referrerPolicy = "no-referrer";
  return fragment;
}
