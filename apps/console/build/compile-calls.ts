import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Plugin } from "vite";
import type { Shape } from "../src/lib/api/plain-schema.ts";

const contractModule = /\/packages\/contract\/src\/[\w/-]+\.ts$/;
const readerModule = join(dirname(fileURLToPath(import.meta.url)), "../src/lib/api/plain-schema.ts");

/** What this reads of a schema of Zod: its kind, and by kind what it is made of. */
interface Definition {
  readonly type: string;
  readonly shape?: Readonly<Record<string, Described>>;
  readonly element?: Described;
  readonly valueType?: Described;
  readonly innerType?: Described;
  readonly out?: Described;
  readonly values?: readonly unknown[];
  readonly entries?: Readonly<Record<string, unknown>>;
  readonly defaultValue?: unknown;
}

interface Described {
  readonly def: Definition;
}

function partOf(part: Described | undefined, of: string): Shape {
  if (part === undefined) throw new Error(`a schema of the kind ${of} lacks what it is made of`);
  return shapeOf(part);
}

/** Returns the shape of an answer's schema. Bounds of numbers and lengths are not in it: they are for input. Throws on kinds it does not know. */
export function shapeOf({ def }: Described): Shape {
  switch (def.type) {
    case "string":
    case "number":
    case "boolean":
    case "null":
    case "unknown":
      return def.type;
    case "array":
      return { array: partOf(def.element, def.type) };
    case "object":
      return {
        object: Object.fromEntries(Object.entries(def.shape ?? {}).map(([name, field]) => [name, shapeOf(field)])),
      };
    case "record":
      return { record: partOf(def.valueType, def.type) };
    case "optional":
      return { optional: partOf(def.innerType, def.type) };
    case "nullable":
      return { nullable: partOf(def.innerType, def.type) };
    case "literal":
      return { values: def.values ?? [] };
    case "enum":
      return { values: Object.values(def.entries ?? {}) };
    case "default":
      return { default: def.defaultValue, of: partOf(def.innerType, def.type) };
    // What is made of a value before it is read is for input; an answer has it already.
    case "pipe":
      return partOf(def.out, def.type);
    default:
      throw new Error(`compile-calls.ts does not know schemas of the kind ${def.type}`);
  }
}

/** What a schema, or an object of them, is written as. */
const computed = new Set(["CallExpression", "ObjectExpression"]);

interface CompiledCall {
  readonly method: string;
  readonly path: string;
  readonly data: Described;
}

function isCall(value: unknown): value is CompiledCall {
  if (typeof value !== "object" || value === null || !("data" in value && "method" in value && "path" in value))
    return false;
  return typeof value.method === "string" && typeof value.path === "string" && isDescribed(value.data);
}

function isDescribed(value: unknown): value is Described {
  if (typeof value !== "object" || value === null || !("def" in value)) return false;
  const { def } = value;
  return typeof def === "object" && def !== null && "type" in def && typeof def.type === "string";
}

/** The code of a call as the console needs it: where it is, and what reads its answer. What goes in is checked by the server. */
function codeOf({ data, ...call }: CompiledCall): string {
  const names = ["method", "path", "access", "changesState", "repeatedAtTopLevel"];
  const plain = Object.fromEntries(Object.entries(call).filter(([name]) => names.includes(name)));
  return `{ ...${JSON.stringify(plain)}, data: plainSchema(${JSON.stringify(shapeOf(data))}) }`;
}

/**
 * Lets the console's pages load without Zod and its schemas: the build replaces each call of the contract by where it is and a plain
 * description of its answer, and marks the schemas as free of side effects, so that only those stay that something else uses. Tests
 * and the development server read answers with the schemas themselves; plain-schema.test.ts holds both to the same result.
 */
export function compileCalls(): Plugin {
  return {
    name: "compile-calls",
    apply: "build",
    async transform(code, id) {
      if (!contractModule.test(id)) return null;
      const exported: unknown = await import(pathToFileURL(id).href);
      const values = new Map<string, unknown>(Object.entries(exported ?? {}));
      const edits: { start: number; end: number; text: string }[] = [];
      for (const statement of this.parse(code).body) {
        const declaration = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
        if (declaration?.type !== "VariableDeclaration") continue;
        for (const { id: target, init } of declaration.declarations) {
          if (target.type !== "Identifier" || !init || !computed.has(init.type)) continue;
          const { start, end } = init;
          const value = values.get(target.name);
          const text = isCall(value)
            ? `/* @__PURE__ */ (() => (${codeOf(value)}))()`
            : `/* @__PURE__ */ (() => (${code.slice(start, end)}))()`;
          edits.push({ start, end, text });
        }
      }
      let compiled = code;
      for (const { start, end, text } of edits.toSorted((left, right) => right.start - left.start))
        compiled = compiled.slice(0, start) + text + compiled.slice(end);
      return { code: `import { plainSchema } from ${JSON.stringify(readerModule)};\n${compiled}`, map: null };
    },
  };
}
