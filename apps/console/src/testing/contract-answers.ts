import { type Call, nothing, type Schema } from "@one-api/contract/call";
import { createFindUnknownName } from "@one-api/contract/unknown-names/find-unknown-name";
import { refusedNames } from "./refused-names.ts";

/** Parts of a schema's definition that a neutral value is made from. */
interface Definition {
  readonly type: string;
  readonly shape?: Readonly<Record<string, Described>>;
  readonly element?: Described;
  readonly valueType?: Described;
  readonly innerType?: Described;
  readonly out?: Described;
  readonly options?: readonly Described[];
  readonly values?: readonly unknown[];
  readonly entries?: Readonly<Record<string, unknown>>;
}

interface Described {
  readonly def: Definition;
}

function isCall(value: unknown): value is Call {
  return typeof value === "object" && value !== null && "method" in value && "path" in value && "data" in value;
}

const modules = import.meta.glob<Record<string, unknown>>(
  ["../../../../packages/contract/src/**/*.ts", "!../../../../packages/contract/src/**/*.test.ts"],
  { eager: true },
);
const calls = Object.values(modules).flatMap((exported) => Object.values(exported).filter(isCall));

function partsOf(path: string): string[] {
  return path.replace(/\/$/, "").split("/");
}

/** The call at a path of a request; a path without parameters comes before one with them. */
function callAt(method: string, path: string): Call | undefined {
  const parts = partsOf(path);
  const isAt = (call: Call, takesParams: boolean) => {
    const declared = partsOf(call.path);
    return (
      call.method === method &&
      declared.length === parts.length &&
      declared.every((part, index) => part === parts[index] || (takesParams && part.startsWith(":")))
    );
  };
  return calls.find((call) => isAt(call, false)) ?? calls.find((call) => isAt(call, true));
}

/** Fills the gaps of a value with neutral ones, so that a test names only the fields that it is about. */
function complete({ def }: Described, value: unknown): unknown {
  const isMissing = value === undefined || value === null;
  switch (def.type) {
    case "string":
      return isMissing ? "" : value;
    case "number":
      return isMissing ? 0 : value;
    case "boolean":
      return isMissing ? false : value;
    case "array":
      return Array.isArray(value) && def.element !== undefined
        ? value.map((item) => complete(def.element ?? { def }, item))
        : isMissing
          ? []
          : value;
    case "object": {
      if (!isMissing && typeof value !== "object") return value;
      const fields = new Map<string, unknown>(Object.entries(value ?? {}));
      return Object.fromEntries(
        Object.entries(def.shape ?? {}).map(([name, field]) => [name, complete(field, fields.get(name))]),
      );
    }
    case "record":
      return isMissing ? {} : value;
    case "null":
      return null;
    case "nullable":
      return isMissing || def.innerType === undefined ? null : complete(def.innerType, value);
    case "optional":
    case "default":
      return isMissing || def.innerType === undefined ? undefined : complete(def.innerType, value);
    case "pipe":
      return def.out === undefined ? value : complete(def.out, value);
    case "union":
      return isMissing && def.options?.[0] !== undefined ? complete(def.options[0], value) : value;
    case "literal":
      return isMissing ? def.values?.[0] : value;
    case "enum":
      return isMissing ? Object.values(def.entries ?? {})[0] : value;
    default:
      return value;
  }
}

const asDescribed = (schema: Schema): Described => ({ def: schema.def });

/** Returns `data` of a call's answer as the server would send it. Throws where it contradicts the contract. */
export function contractAnswer(method: string, path: string, data: unknown): unknown {
  const call = callAt(method, path);
  if (call === undefined) return data;
  const { success, data: answer, error } = call.data.safeParse(complete(asDescribed(call.data), data));
  if (success) return answer;
  const problems = error.issues.map((issue) => `${issue.path.join(".")}: ${issue.code}`).join(", ");
  throw new Error(`The stubbed answer of ${method} ${path} contradicts the contract (${problems}).`);
}

/** Records the names in a request that its call does not take, and that a server refuses. */
export function checkNames(method: string, address: string, body: unknown): void {
  const [path = "", search] = address.split("?");
  const call = callAt(method, path);
  if (call === undefined) return;
  const query = Object.fromEntries(new URLSearchParams(search));
  for (const [schema, value] of [[call.query, query] as const, [call.body, body] as const]) {
    const unknown = schema === nothing ? Object.keys(value ?? {}) : (createFindUnknownName(schema)(value)?.path ?? []);
    if (unknown.length > 0) refusedNames.push(`${method} ${path} does not take ${unknown.join(".")}`);
  }
}
