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
export function applySafeStyle(element: HTMLElement, style: string): void {
  for (const declaration of style.split(";")) {
    const colon = declaration.indexOf(":");
    const property = declaration.slice(0, colon).trim().toLowerCase();
    const value = declaration.slice(colon + 1).trim();
    const isNegative = property.startsWith("margin") && value.includes("-");
    if (colon > 0 && allowed.has(property) && !/[()\\]/.test(value) && !isNegative)
      element.style.setProperty(property, value);
  }
}
