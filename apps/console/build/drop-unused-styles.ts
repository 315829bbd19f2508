import postcss, { type Container } from "postcss";
import type { Plugin } from "vite";

/** A class name of Mantine: its style sheets and its code share these hashes. */
const mantineClass = /m_[0-9a-f]{6,8}/g;

/**
 * Takes the styles of Mantine's components out of the build that none of its scripts names: the style sheet has those of all
 * components, the scripts only those of the components in use.
 */
export function dropUnusedStyles(): Plugin {
  return {
    name: "drop-unused-styles",
    apply: "build",
    generateBundle: {
      order: "post",
      handler(_options, bundle) {
        const scripts = Object.values(bundle).flatMap((file) => (file.type === "chunk" ? [file.code] : []));
        const used = new Set(scripts.flatMap((code) => code.match(mantineClass) ?? []));
        const sheets = Object.values(bundle).filter((file) => file.type === "asset" && file.fileName.endsWith(".css"));
        for (const sheet of sheets) {
          if (sheet.type === "asset") sheet.source = withoutUnused(String(sheet.source), used);
        }
        const texts = sheets.map((sheet) => (sheet.type === "asset" ? String(sheet.source) : ""));
        for (const sheet of sheets) {
          if (sheet.type === "asset") sheet.source = withoutUnusedColours(String(sheet.source), [...scripts, ...texts]);
        }
      },
    },
  };
}

/** Returns a style sheet without the rules that can only match unused classes. */
export function withoutUnused(css: string, used: ReadonlySet<string>): string {
  const isUnused = (selector: string) =>
    (withoutNegations(selector).match(mantineClass) ?? []).some((name) => !used.has(name));
  const root = postcss.parse(css);
  root.walkRules((rule) => {
    const kept = rule.selectors.filter((selector) => !isUnused(selector));
    if (kept.length === 0) rule.remove();
    else if (kept.length < rule.selectors.length) rule.selectors = kept;
  });
  removeEmpty(root);
  return root.toString();
}

/** The colours of a palette that the console does not use by its name; accent, grey and the colours of a status stay. */
const paletteColour =
  /^--mantine-color-(?:blue|teal|red|yellow|violet|pink|orange|lime|indigo|green|grape|cyan)-(?<shade>[\w-]+)$/;

/** Shades whose names scripts put together: those of channel types (channel-columns.tsx, provider-name.tsx). */
const NAMED_IN_PARTS = new Set(["4", "9", "light", "light-color"]);

/** Returns a style sheet without the palette colours that neither a style sheet nor a script asks for. */
export function withoutUnusedColours(css: string, texts: readonly string[]): string {
  const root = postcss.parse(css);
  const asked = new Set(texts.flatMap((text) => text.match(/(?<=var\(\s*)--mantine-color-[\w-]+/g) ?? []));
  root.walkDecls(paletteColour, (declaration) => {
    const shade = paletteColour.exec(declaration.prop)?.groups?.["shade"] ?? "";
    if (!asked.has(declaration.prop) && !NAMED_IN_PARTS.has(shade)) declaration.remove();
  });
  const left = root.toString();
  // What was taken out may have been the last to ask for another.
  return left.length === css.length
    ? left
    : withoutUnusedColours(left, [...texts.filter((text) => text !== css), left]);
}

/** Takes out layers and media queries that have become empty, the inner ones first. */
function removeEmpty(container: Container): void {
  for (const node of container.nodes?.slice() ?? []) {
    if (node.type !== "atrule" || node.nodes === undefined) continue;
    removeEmpty(node);
    if (node.nodes.length === 0) node.remove();
  }
}

/** A class inside of `:not(…)`, or one choice of `:is(…)` and `:where(…)`, need not be there for the selector to match. */
function withoutNegations(selector: string): string {
  return selector.replaceAll(/:(?:not|is|where)\([^()]*(?:\([^()]*\)[^()]*)*\)/g, "");
}
