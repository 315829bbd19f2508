import { refusesSampling } from "../../model-facts/api-facts.ts";

/**
 * Features of Bedrock that depend on the model. Source:
 * https://docs.aws.amazon.com/bedrock/latest/userguide/conversation-inference-supported-models-features.html
 */
export interface ModelTraits {
  /** Anthropic's: its API's own fields are sent beside Bedrock's, and signatures of thoughts are Anthropic's. */
  readonly isClaude: boolean;
  readonly refusesSampling: boolean;
  /** Cache lifetimes that a request can choose: none, the model's own, or as marked. */
  readonly caches: "no" | "own" | "as-marked";
  readonly cachesTools: boolean;
  readonly obeysToolChoice: boolean;
  /** Follows a JSON schema, in its answer and for strict tools. */
  readonly acceptsSchemas: boolean;
  /** Setting of reasoning: Claude's, Nova's own field, an effort, or none. */
  readonly reasoning: "claude" | "nova" | "effort" | "none";
}

/** Families without schemas; newer ones have them. Source: https://docs.aws.amazon.com/bedrock/latest/userguide/structured-output.html */
const SCHEMALESS =
  /amazon\.|meta\.|cohere\.|ai21\.|writer\.|claude-(?:instant|v2|2|3-|(?:opus|sonnet)-4-(?:0|1|2025)|(?:opus|sonnet)-4$)/;

/** Returns the traits of a model by Bedrock's name, which may begin with a region or be an ARN. */
export function traitsOf(model: string): ModelTraits {
  const isClaude = /claude/.test(model);
  const isNova = /amazon\.nova/.test(model);
  return {
    isClaude,
    refusesSampling: refusesSampling(model),
    caches: isClaude ? "as-marked" : isNova ? "own" : "no",
    cachesTools: isClaude,
    obeysToolChoice: !/meta\.|cohere\.|ai21\./.test(model),
    acceptsSchemas: !SCHEMALESS.test(model),
    reasoning: isClaude ? "claude" : /nova-2/.test(model) ? "nova" : /gpt-(?:oss|\d)/.test(model) ? "effort" : "none",
  };
}
