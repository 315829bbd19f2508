import { readFileSync } from "node:fs";
import { join } from "node:path";
import { minifySync, type Plugin } from "vite";

/** Puts what the first paint needs into the page: the script that sets scheme and theme, and in the build the address of the font. */
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
        const preload = { rel: "preload", as: "font", type: "font/woff2", crossorigin: true, href: `/${font}` };
        return [
          // The server fills the nonce in.
          {
            tag: "script",
            attrs: { nonce: "__CSP_NONCE__" },
            children: minifySync("theme-boot.js", source).code.trim(),
          },
          ...(font === undefined ? [] : [{ tag: "link", attrs: preload }]),
        ];
      },
    },
  };
}
