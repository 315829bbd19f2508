import { readFileSync } from "node:fs";
import { join } from "node:path";
import { minifySync, type Plugin } from "vite";

/** Files that the script loads ahead of the others, by their names in the build. */
const addresses = {
  __FONT__: /inter-basic-latin-[^/]*\.woff2$/,
  __CHINESE__: /first-zh-CN-[^/]*\.js$/,
};

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
        const script = Object.entries(addresses).reduce((text, [placeholder, pattern]) => {
          const file = Object.keys(bundle).find((name) => pattern.test(name));
          return file === undefined ? text : text.replace(placeholder, `/${file}`);
        }, source);
        // The server fills the nonce in.
        const attrs = { nonce: "__CSP_NONCE__" };
        return [{ tag: "script", attrs, children: minifySync("theme-boot.js", script).code.trim() }];
      },
    },
  };
}
