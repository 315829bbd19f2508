import { MARKER_END, MARKER_START } from "@one-api/providers/stub-kit/markers";
import { isJsonObject, type JsonObject } from "@one-api/providers/stub-kit/json-fields";
import {
  type AnswerShape,
  type Behaviour,
  type BehaviourKind,
  cutPlaces,
  errorEventForms,
  malformedFaults,
  refusalReasons,
  refusalStatuses,
  usageReports,
} from "@one-api/providers/stub-kit/behaviour";

/** Invalid behaviour; the message names the field and its valid values. */
export class BehaviourError extends Error {
  override name = "BehaviourError";
}

/** Reads the fields of an untrusted object one by one and refuses unknown ones. */
class FieldReader {
  readonly #fields: JsonObject;
  readonly #known = new Set<string>();

  constructor(value: unknown) {
    if (!isJsonObject(value)) throw new BehaviourError('a behaviour must be a JSON object such as {"kind":"normal"}');
    this.#fields = value;
  }

  count(name: string): number | undefined {
    const value = this.#take(name);
    if (value === undefined) return undefined;
    if (typeof value === "number" && Number.isInteger(value) && value >= 0) return value;
    throw new BehaviourError(`${name} must be a whole number of 0 or more`);
  }

  text(name: string): string | undefined {
    const value = this.#take(name);
    if (value === undefined || typeof value === "string") return value;
    throw new BehaviourError(`${name} must be a text`);
  }

  countOrText(name: string): number | string | undefined {
    return typeof this.#fields[name] === "string" ? this.text(name) : this.count(name);
  }

  flag(name: string): boolean | undefined {
    const value = this.#take(name);
    if (value === undefined || typeof value === "boolean") return value;
    throw new BehaviourError(`${name} must be true or false`);
  }

  object(name: string): JsonObject | undefined {
    const value = this.#take(name);
    if (value === undefined || isJsonObject(value)) return value;
    throw new BehaviourError(`${name} must be a JSON object`);
  }

  choice<const Allowed extends string | number>(name: string, allowed: readonly Allowed[]): Allowed | undefined {
    const value = this.#take(name);
    if (value === undefined) return undefined;
    const found = allowed.find((item) => item === value);
    if (found !== undefined) return found;
    throw new BehaviourError(`${name} must be one of ${allowed.join(", ")}`);
  }

  requiredChoice<const Allowed extends string | number>(name: string, allowed: readonly Allowed[]): Allowed {
    const value = this.choice(name, allowed);
    if (value === undefined) throw new BehaviourError(`${name} is missing; it must be one of ${allowed.join(", ")}`);
    return value;
  }

  refuseUnknown(): void {
    const unknown = Object.keys(this.#fields).find((name) => !this.#known.has(name));
    if (unknown !== undefined) throw new BehaviourError(`${unknown} is no field of this kind of behaviour`);
  }

  #take(name: string): unknown {
    this.#known.add(name);
    return this.#fields[name];
  }
}

const readers: { [Kind in BehaviourKind]: (fields: FieldReader) => Behaviour } = {
  normal: () => ({ kind: "normal" }),
  slow: () => ({ kind: "slow" }),
  refuse: (fields) => ({
    kind: "refuse",
    status: fields.requiredChoice("status", refusalStatuses),
    reason: fields.choice("reason", refusalReasons),
    retryAfter: fields.countOrText("retryAfter"),
    message: fields.text("message"),
  }),
  stall: (fields) => ({ kind: "stall", afterChunks: fields.count("afterChunks") }),
  cut: (fields) => ({
    kind: "cut",
    at: fields.choice("at", cutPlaces),
    afterChunks: fields.count("afterChunks"),
    reset: fields.flag("reset"),
  }),
  malformed: (fields) => ({
    kind: "malformed",
    fault: fields.requiredChoice("fault", malformedFaults),
    afterChunks: fields.count("afterChunks"),
    lineMegabytes: fields.count("lineMegabytes"),
  }),
  endless: (fields) => ({ kind: "endless", chunkBytes: fields.count("chunkBytes") }),
  "unsolicited-headers": () => ({ kind: "unsolicited-headers" }),
  "usage-override": (fields) => ({
    kind: "usage-override",
    report: fields.requiredChoice("report", usageReports),
    usage: fields.object("usage"),
  }),
  "error-in-stream": (fields) => ({
    kind: "error-in-stream",
    afterChunks: fields.count("afterChunks"),
    form: fields.choice("form", errorEventForms),
  }),
};

const kinds = [
  "normal",
  "slow",
  "refuse",
  "stall",
  "cut",
  "malformed",
  "endless",
  "unsolicited-headers",
  "usage-override",
  "error-in-stream",
] as const satisfies readonly BehaviourKind[];

function readAnswerShape(fields: FieldReader): AnswerShape {
  return {
    headersDelayMs: fields.count("headersDelayMs"),
    chunkDelayMs: fields.count("chunkDelayMs"),
    pieces: fields.count("pieces"),
    text: fields.text("text"),
    reasoningTokens: fields.count("reasoningTokens"),
    cachedTokens: fields.count("cachedTokens"),
    callTool: fields.flag("callTool"),
    toolText: fields.text("toolText"),
    usageUnasked: fields.flag("usageUnasked"),
  };
}

/** Parses a behaviour. Throws BehaviourError that names the invalid field. */
export function parseBehaviour(value: unknown): Behaviour {
  const fields = new FieldReader(value);
  const behaviour = { ...readAnswerShape(fields), ...readers[fields.requiredChoice("kind", kinds)](fields) };
  fields.refuseUnknown();
  return behaviour;
}

/**
 * Parses the last marker of a text, such as `[[fake: {"kind":"refuse","status":429}]]`. Undefined without one. Throws BehaviourError for an
 * invalid marker.
 */
export function markedBehaviour(text: string): Behaviour | undefined {
  const start = text.lastIndexOf(MARKER_START);
  if (start === -1) return undefined;
  const end = text.indexOf(MARKER_END, start);
  if (end === -1) throw new BehaviourError(`the marker must end with ${MARKER_END}`);
  return parseBehaviour(parseMarker(text.slice(start + MARKER_START.length, end)));
}

function parseMarker(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new BehaviourError(`the marker must hold JSON, not ${json.trim()}`);
  }
}
