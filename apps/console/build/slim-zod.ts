import type { Plugin } from "vite";

/** Where Zod turns schemas into JSON Schema; every schema refers to it, so that it cannot be shaken off. */
const jsonSchemaModules = /\/zod\/v4\/core\/(?:json-schema-processors|to-json-schema)\.js$/;
const coreModule = /\/zod\/v4\/core\/core\.js$/;

/**
 * Makes Zod fit for the console: without its conversion to JSON Schema, with which the server documents its API, and without validators
 * that it compiles with `new Function`, which the content security policy refuses.
 */
export function slimZod(): Plugin {
  return {
    name: "slim-zod",
    apply: "build",
    transform(code, id) {
      if (coreModule.test(id)) return { code: `${code}\nconfig({ jitless: true });\n`, map: null };
      if (!jsonSchemaModules.test(id)) return null;
      const names = [...code.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name);
      const refusal = `const refuse = () => { throw new Error("The console is built without JSON Schema."); };`;
      return { code: [refusal, ...names.map((name) => `export const ${name} = () => refuse;`)].join("\n"), map: null };
    },
  };
}
