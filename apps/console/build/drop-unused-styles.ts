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
        for (const file of Object.values(bundle)) {
          if (file.type === "asset" && file.fileName.endsWith(".css"))
            file.source = withoutUnused(String(file.source), used);
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
