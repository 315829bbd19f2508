import { refusesSampling } from "../../models/api-facts.ts";

/** What Bedrock understands of a request depends on the model. Source: https://docs.aws.amazon.com/bedrock/latest/userguide/conversation-inference-supported-models-features.html */
export interface ModelTraits {
  /** Anthropic's: fields of Anthropic's own API go beside Bedrock's, and signatures of thoughts are Anthropic's. */
  readonly isClaude: boolean;
  /** It refuses a temperature and its like. */
  readonly refusesSampling: boolean;
  /** Which lifetimes of a cache can be asked for: none, the model's own, or as marked. */
  readonly caches: "no" | "own" | "as-marked";
  /** Definitions of tools can be kept in the cache too. */
  readonly cachesTools: boolean;
  /** It can be made to call a tool. */
  readonly obeysToolChoice: boolean;
  /** It keeps to a JSON schema, in its answer and for tools that are strict. */
  readonly keepsSchemas: boolean;
  /** How it is told how much to think: as Claude, by Nova's own field, by an effort, or not at all. */
  readonly reasoning: "claude" | "nova" | "effort" | "none";
}

/** Families that keep to no schema; newer ones do. Source: https://docs.aws.amazon.com/bedrock/latest/userguide/structured-output.html */
const SCHEMALESS =
  /amazon\.|meta\.|cohere\.|ai21\.|writer\.|claude-(?:instant|v2|2|3-|(?:opus|sonnet)-4-(?:0|1|2025)|(?:opus|sonnet)-4$)/;

/** The traits of a model by Bedrock's name of it, which may begin with a region or be an address (ARN). */
export function traitsOf(model: string): ModelTraits {
  const isClaude = /claude/.test(model);
  const isNova = /amazon\.nova/.test(model);
  return {
    isClaude,
    refusesSampling: refusesSampling(model),
    caches: isClaude ? "as-marked" : isNova ? "own" : "no",
    cachesTools: isClaude,
    obeysToolChoice: !/meta\.|cohere\.|ai21\./.test(model),
    keepsSchemas: !SCHEMALESS.test(model),
    reasoning: isClaude ? "claude" : /nova-2/.test(model) ? "nova" : /gpt-(?:oss|\d)/.test(model) ? "effort" : "none",
  };
}
