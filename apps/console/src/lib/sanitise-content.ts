import DOMPurify from "dompurify";
import { marked } from "marked";

/** What authors of footers and pages may style; nothing here can cover the console or load anything. */
const allowed: ReadonlySet<string> = new Set([
  "color",
  "background-color",
  "text-align",
  "text-decoration",
  "font-size",
  "font-weight",
  "font-style",
  "line-height",
  "letter-spacing",
  "margin",
  "margin-top",
  "margin-right",
  "margin-bottom",
  "margin-left",
  "padding",
  "padding-top",
  "padding-right",
  "padding-bottom",
  "padding-left",
  "width",
  "max-width",
  "height",
  "max-height",
  "border",
  "border-radius",
  "display",
  "flex",
  "flex-direction",
  "flex-wrap",
  "gap",
  "align-items",
  "justify-content",
  "vertical-align",
  "opacity",
  "white-space",
  "list-style",
]);

/** Applies the harmless part of a style attribute; through the object model, since the content security policy refuses the attribute. */
function applySafeStyle(element: HTMLElement, style: string): void {
  for (const declaration of style.split(";")) {
    const colon = declaration.indexOf(":");
    const property = declaration.slice(0, colon).trim().toLowerCase();
    const value = declaration.slice(colon + 1).trim();
    const isNegative = property.startsWith("margin") && value.includes("-");
    if (colon > 0 && allowed.has(property) && !/[()\\]/.test(value) && !isNegative)
      element.style.setProperty(property, value);
  }
}

/** Style attributes travel under this name while the text is parsed, so that the browser does not meet them. */
const STYLE_CARRIER = "data-safe-style";

const rules = {
  RETURN_DOM_FRAGMENT: true,
  USE_PROFILES: { html: true },
  FORBID_TAGS: ["style", "form", "input", "button", "textarea", "select", "option", "dialog", "template"],
  FORBID_ATTR: ["style", "id", "name", "class", "target", "rel", "srcset", "popovertarget"],
} as const;

/** A tag to its end; what is quoted may hold a bracket. */
const TAG = /<[a-z](?:[^<>"']|"[^"]*"|'[^']*')*>/gi;

/** What is quoted, to be passed over, or the name of a style attribute. */
const STYLE_NAME = /"[^"]*"|'[^']*'|(?<=[\s/"'])(style)(?=[\s=/>])/gi;

/** Renames style attributes: browsers report each one that they meet while they parse, wherever that is. */
function carryStyles(html: string): string {
  const rename = (found: string, name?: string) => (name === undefined ? found : STYLE_CARRIER);
  return html.replaceAll(TAG, (tag) => tag.replaceAll(STYLE_NAME, rename));
}

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
  const carried = carryStyles(html);
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
