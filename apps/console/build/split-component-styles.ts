import { existsSync } from "node:fs";
import type { Plugin } from "vite";

/** The class names of one of Mantine's components: a module of its own beside each component that has styles. */
const classNames = /\/@mantine\/core\/esm\/.*\/(?<component>\w+)\.module\.mjs$/;
const allStyles = /\/@mantine\/core\/styles\.layer\.css$/;
const commonStyles = ["baseline", "default-css-variables", "global"];

/**
 * Loads the styles of each Mantine component with its code, instead of all before the first paint. In development,
 * main.tsx imports one sheet.
 */
export function splitComponentStyles(): Plugin {
  return {
    name: "split-component-styles",
    apply: "build",
    enforce: "pre",
    load(id) {
      if (!allStyles.test(id)) return null;
      return commonStyles.map((name) => `@import "@mantine/core/styles/${name}.layer.css";`).join("\n");
    },
    transform(code, id) {
      const component = classNames.exec(id)?.groups?.["component"];
      if (component === undefined) return null;
      const sheet = `${id.slice(0, id.lastIndexOf("/esm/"))}/styles/${component}.layer.css`;
      if (!existsSync(sheet)) this.error(`Mantine has no style sheet for ${component}: ${sheet}`);
      return { code: `${code}\nimport "@mantine/core/styles/${component}.layer.css";\n`, map: null };
    },
  };
}
