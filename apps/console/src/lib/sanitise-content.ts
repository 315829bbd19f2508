import DOMPurify from "dompurify";
import { marked } from "marked";

/** Styles that authors of footers and pages may use; none can cover the console or load anything. */
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

const FORM_TAGS = ["style", "form", "input", "button", "textarea", "select", "option", "dialog", "template"] as const;

/** The content policy lets none of these load anything, and reports the attempt. */
const LOADING_TAGS = ["audio", "video", "source", "track", "picture"] as const;

const rules = {
  RETURN_DOM_FRAGMENT: true,
  USE_PROFILES: { html: true },
  FORBID_TAGS: [...FORM_TAGS, ...LOADING_TAGS],
  FORBID_ATTR: ["style", "id", "name", "class", "target", "rel", "srcset", "popover", "popovertarget", "background"],
} as const;

/**
 * Renames elements that browsers report during parsing to ones that parse alike and are removed too: `style` and `xmp`
 * hold text; `base`, `meta`, `link` and `wbr` hold nothing. A `frameset` would replace the body.
 */
function withoutLoudTags(html: string): string {
  return html
    .replaceAll(/<(\/?)style(?=[\s/>])/gi, "<$1xmp")
    .replaceAll(/<(?:base|meta|link|frameset)(?=[\s/>])/gi, "<wbr");
}

const TAG_START = /<[a-z][^\s/>]*/gi;

/** An attribute as the HTML standard's tokenizer reads it (13.2.5.32 and on): its name, and what follows with the equals sign. */
const ATTRIBUTE = /[\s/]*([^\s/>][^\s/>=]*)(\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]*))?/y;

/** An attribute as it may be parsed: handlers are gone, styles have another name. */
function harmlessAttribute(whole: string, name: string, value: string): string {
  if (/^on/i.test(name)) return " ";
  // Quoted code here may be outside of quotes if the surrounding text ends early.
  const rest = value.includes("<") ? withoutInlineCode(value) : value;
  if (name.toLowerCase() === "style") return ` ${STYLE_CARRIER}${rest}`;
  return whole.slice(0, whole.length - value.length) + rest;
}

/** Takes out handlers and renames style attributes: browsers report each one that they meet while they parse, wherever that is. */
function withoutInlineCode(html: string): string {
  let result = "";
  let end = 0;
  for (const { 0: start, index } of html.matchAll(TAG_START)) {
    if (index < end) continue;
    result += html.slice(end, index) + start;
    end = index + start.length;
    ATTRIBUTE.lastIndex = end;
    for (let found = ATTRIBUTE.exec(html); found !== null; found = ATTRIBUTE.exec(html)) {
      const [whole, name = "", value = ""] = found;
      end = ATTRIBUTE.lastIndex;
      result += harmlessAttribute(whole, name, value);
      ATTRIBUTE.lastIndex = end;
    }
  }
  return result + html.slice(end);
}

function finishLink(link: HTMLAnchorElement): void {
  link.rel = "noopener noreferrer nofollow";
  if (!link.getAttribute("href")?.startsWith("#")) link.target = "_blank";
}

/** True for an address of this server's calls: an image from there would make the reader's browser ask, with the reader's rights. */
function isOwnCall(address: string): boolean {
  const url = URL.parse(address, window.location.href);
  return url !== null && url.origin === window.location.origin && /^\/+(?:api|v1)\b/i.test(url.pathname);
}

function finishImage(image: HTMLImageElement): void {
  image.referrerPolicy = "no-referrer";
  if (isOwnCall(image.getAttribute("src") ?? "")) image.remove();
}

/** Returns a Markdown or HTML text as sanitised HTML. Links open in a new tab without a referrer. */
export function sanitiseContent(content: string, format: "markdown" | "html"): DocumentFragment {
  const html = format === "markdown" ? marked.parse(content, { async: false, gfm: true }) : content;
  const carried = withoutInlineCode(withoutLoudTags(html));
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
  for (const image of fragment.querySelectorAll("img")) finishImage(image);
  // They scroll sideways where they are too wide, which the keyboard can do once they take the focus.
  for (const wide of fragment.querySelectorAll<HTMLElement>("pre, table")) wide.tabIndex = 0;
  return fragment;
}
