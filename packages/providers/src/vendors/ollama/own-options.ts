import { type Drop, type ForeignFields, takeForeignFields, UntranslatableError } from "../../neutral/chat-request.ts";
import { isRecord, type JsonRecord } from "../../shared/json-fields.ts";

/** Model options that no other format has, and their types. Source: https://docs.ollama.com/modelfile#parameter */
const OWN_OPTIONS: ReadonlyMap<string, "whole" | "number" | "flag"> = new Map([
  ["num_ctx", "whole"],
  ["num_keep", "whole"],
  ["repeat_last_n", "whole"],
  ["mirostat", "whole"],
  ["repeat_penalty", "number"],
  ["min_p", "number"],
  ["typical_p", "number"],
  ["tfs_z", "number"],
  ["mirostat_eta", "number"],
  ["mirostat_tau", "number"],
  ["penalize_newline", "flag"],
]);

/** Options that the neutral form has too; the request's own fields take precedence. */
const SHARED_OPTIONS: ReadonlyMap<string, "whole" | "number" | "texts"> = new Map([
  ["num_predict", "whole"],
  ["temperature", "number"],
  ["top_p", "number"],
  ["top_k", "whole"],
  ["seed", "whole"],
  ["frequency_penalty", "number"],
  ["presence_penalty", "number"],
  ["stop", "texts"],
]);

/**
 * Reads options in `options` or at the top level. Machine options (`num_gpu` …) are the operator's and are dropped. Throws UntranslatableError
 * for an option of a wrong type.
 */
export function readOwnOptions(foreign: ForeignFields, drop: Drop, said: ReadonlySet<string> | undefined): JsonRecord {
  const { options, ...beside } = foreign.fields;
  if (options !== undefined && !isRecord(options)) {
    throw new UntranslatableError("options", "options must be an object.");
  }
  const taken: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(options ?? {})) {
    const kind = OWN_OPTIONS.get(name) ?? SHARED_OPTIONS.get(name);
    if (kind === undefined || isEndless(name, value)) drop(`options.${name}`);
    else taken[name] = checked(`options.${name}`, value, kind);
  }
  for (const [name, kind] of OWN_OPTIONS) {
    if (beside[name] !== undefined) taken[name] = checked(name, beside[name], kind);
  }
  const rest = Object.entries(beside).filter(([name]) => !OWN_OPTIONS.has(name));
  takeForeignFields({ ...foreign, fields: Object.fromEntries(rest) }, "ollama-chat", drop, said);
  return taken;
}

/** A negative limit means none at Ollama. */
function isEndless(name: string, value: unknown): boolean {
  return name === "num_predict" && typeof value === "number" && value <= 0;
}

function checked(field: string, value: unknown, kind: "whole" | "number" | "flag" | "texts"): unknown {
  const isRight = {
    whole: Number.isInteger(value),
    number: typeof value === "number",
    flag: typeof value === "boolean",
    texts: typeof value === "string" || (Array.isArray(value) && value.every((each) => typeof each === "string")),
  };
  if (isRight[kind]) return value;
  const names = {
    whole: "a whole number",
    number: "a number",
    flag: "true or false",
    texts: "a text or a list of texts",
  };
  throw new UntranslatableError(field, `${field} must be ${names[kind]}.`);
}
