import { type Call, nothing } from "@one-api/contract/call";
import { createFindUnknownName, type UnknownName } from "@one-api/contract/unknown-names/find-unknown-name";
import { ignoresParameter, takesUnknownFields } from "@one-api/contract/unknown-names/one-api-calls";
import { AppError } from "../core/app-error.ts";
import { misspelledName } from "../core/misspelled-name.ts";
import { nearestName } from "../core/nearest-name.ts";

const MOST_NAME_LENGTH = 64;
/** More than a row of any gateway has. The time grows with their number. */
const MOST_COMPARED_FIELDS = 200;

interface ReceivedInput {
  readonly query: unknown;
  readonly body: unknown;
}

/**
 * Returns a function that throws `invalid-input` for a parameter or field that the call does not take. Only One API's
 * calls ignore some: see `one-api-calls.ts`.
 */
export function createRefuseUnknownNames(call: Call): (input: ReceivedInput) => void {
  const findParameter = call.query === nothing ? findAny : createFindUnknownName(call.query);
  const findField = call.body === nothing ? findNone : createFindField(call);
  return ({ query, body }) => {
    const parameter = findParameter(withoutIgnored(call, query));
    if (parameter !== undefined) throw refusal("parameter", parameter);
    const field = findField(body);
    if (field !== undefined) throw refusal("field", field);
  };
}

type Find = ReturnType<typeof createFindUnknownName>;

const findAny: Find = (value) => {
  const [name] = Object.keys(value ?? {});
  return name === undefined ? undefined : { path: [name], known: [] };
};

const findNone: Find = () => undefined;

/** Of One API's calls only a field that is surely misspelled: a wrong name would leave a token without its limits. */
function createFindField(call: Call): Find {
  const find = createFindUnknownName(call.body, call.data);
  if (!takesUnknownFields(call)) return find;
  return (body) => {
    const fields: [string, unknown][] = Object.entries(body ?? {}).slice(0, MOST_COMPARED_FIELDS);
    const sent = new Set(fields.map(([name]) => name));
    for (const [name, value] of fields) {
      const { path = [], known = [] } = find({ [name]: value }) ?? {};
      const absent = known.filter((other) => !sent.has(other));
      const meant = path.length === 1 ? misspelledName(name, absent) : undefined;
      if (meant !== undefined) return { path, known: [meant] };
    }
    return undefined;
  };
}

/** Ignored parameters may be known, too: a search for unknown ones does not need those. */
function withoutIgnored(call: Call, query: unknown): unknown {
  const parameters = Object.entries(query ?? {});
  return Object.fromEntries(parameters.filter(([name, value]) => !ignoresParameter(call, name, value)));
}

function refusal(kind: "parameter" | "field", { path, known }: UnknownName): AppError {
  const name = path.at(-1) ?? "";
  const nearest = nearestName(name, known);
  const field = path.join(".").slice(0, MOST_NAME_LENGTH);
  const message = `${field} is no ${kind} of this call. ${nearest === undefined ? takes(known) : `Did you mean ${nearest}?`}`;
  return new AppError("invalid-input", message, {
    field,
    values: { problem: "unknown", ...(nearest === undefined ? {} : { nearest }) },
  });
}

function takes(known: readonly string[]): string {
  return known.length === 0 ? "It takes none." : `It takes: ${known.join(", ")}.`;
}
