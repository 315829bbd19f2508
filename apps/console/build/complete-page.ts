import { readFileSync } from "node:fs";
import { join } from "node:path";
import { minifySync, type Plugin, type Rolldown } from "vite";

const SOURCES = { __FONT__: "inter-basic-latin.woff2", __CHINESE__: "first-zh-CN" };

/** Puts what the first paint needs into the page: the script that sets scheme, theme and font. */
export function completePage(): Plugin {
  let root = "";
  return {
    name: "complete-page",
    configResolved(config) {
      root = config.root;
    },
    transformIndexHtml: {
      order: "post",
      handler(_html, { bundle }) {
        const source = readFileSync(join(root, "theme-boot.js"), "utf8");
        const script = bundle === undefined ? source : withAddresses(source, bundle);
        // The server fills the nonce in.
        const attrs = { nonce: "__CSP_NONCE__" };
        return [{ tag: "script", attrs, children: minifySync("theme-boot.js", script).code.trim() }];
      },
    },
  };
}

/** The server fills the base path in. */
function withAddresses(script: string, bundle: Rolldown.OutputBundle): string {
  return Object.entries(SOURCES).reduce((text, [placeholder, source]) => {
    const file = Object.values(bundle).find((output) =>
      output.type === "asset" ? output.names.includes(source) : output.name === source,
    );
    if (file === undefined) throw new Error(`The build has no file of ${source}, which theme-boot.js asks for.`);
    return text.replace(placeholder, `__BASE_PATH__/${file.fileName}`);
  }, script);
}
