import { readFileSync } from "node:fs";
import { join } from "node:path";
import { minifySync, type Plugin } from "vite";

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
      handler(_html, { bundle = {} }) {
        const source = readFileSync(join(root, "theme-boot.js"), "utf8");
        const font = Object.keys(bundle).find((file) => /inter-basic-latin-[^/]*\.woff2$/.test(file));
        const script = font === undefined ? source : source.replace("__FONT__", `/${font}`);
        // The server fills the nonce in.
        const attrs = { nonce: "__CSP_NONCE__" };
        return [{ tag: "script", attrs, children: minifySync("theme-boot.js", script).code.trim() }];
      },
    },
  };
}
