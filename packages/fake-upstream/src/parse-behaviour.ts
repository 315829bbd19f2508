import {
  cutPlaces,
  errorEventForms,
  malformedFaults,
  refusalReasons,
  refusalStatuses,
  usageReports,
} from "./behaviour.ts";
import type { AnswerShape, Behaviour, BehaviourKind } from "./behaviour.ts";
import { FieldReader } from "./field-reader.ts";

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
  };
}

/** The behaviour that a parsed JSON value describes. Throws BehaviourError that names the field in the way. */
export function parseBehaviour(value: unknown): Behaviour {
  const fields = new FieldReader(value);
  const behaviour = { ...readAnswerShape(fields), ...readers[fields.requiredChoice("kind", kinds)](fields) };
  fields.refuseUnknown();
  return behaviour;
}
