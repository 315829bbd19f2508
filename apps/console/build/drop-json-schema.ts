import type { Plugin } from "vite";

/** Where Zod turns schemas into JSON Schema; every schema refers to it, so that it cannot be shaken off. */
const jsonSchemaModules = /\/zod\/v4\/core\/(?:json-schema-processors|to-json-schema)\.js$/;

/** Takes Zod's conversion to JSON Schema out of the build: the server documents its API with it, the console never does. */
export function dropJsonSchema(): Plugin {
  return {
    name: "drop-json-schema",
    apply: "build",
    transform(code, id) {
      if (!jsonSchemaModules.test(id)) return null;
      const names = [...code.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name);
      const refusal = `const refuse = () => { throw new Error("The console is built without JSON Schema."); };`;
      return { code: [refusal, ...names.map((name) => `export const ${name} = () => refuse;`)].join("\n"), map: null };
    },
  };
}
