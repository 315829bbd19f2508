import * as models from "gpt-tokenizer/models";
import { listedContextTokens } from "../prices/genai-price.ts";
import { type PriceList, priceListInUse } from "../prices/price-list.ts";

const specs = new Map<string, { readonly output: number | undefined; readonly context: number | undefined }>(
  Object.entries(models).map(([name, spec]) => [
    name,
    {
      output: "max_output_tokens" in spec ? countOf(spec.max_output_tokens) : undefined,
      context: "context_window" in spec ? countOf(spec.context_window) : undefined,
    },
  ]),
);

/**
 * Longest answers of families, in tokens; the first match counts. Sources: https://docs.anthropic.com/en/docs/about-claude/models/overview,
 * https://cloud.baidu.com/doc/qianfan/s/rmh4stp0j, https://cloud.tencent.com/document/product/1729/104753,
 * https://www.xfyun.cn/doc/spark/HTTP调用文档.html.
 */
const familyCaps: readonly (readonly [RegExp, number])[] = [
  [/^claude-(?:instant|2|3-(?:opus|sonnet|haiku))/, 4_096],
  [/^claude-3-5-/, 8_192],
  [/^claude-opus-4(?:-[01])?(?:$|-\d{8})/, 32_000],
  [/^claude-(?:3-7-|(?:sonnet|opus|haiku)-4)/, 64_000],
  [/^hunyuan-(?:t1|2\.0-think)/, 65_536],
  [/^hunyuan-a13b/, 32_768],
  [/^hunyuan-/, 16_384],
  [/^(?:spark-(?:lite|pro-128k)|lite|pro-128k)$/i, 4_096],
  [/^(?:spark-(?:pro|max|max-32k)|generalv3(?:\.5)?|max-32k|sparkdesk.*)$/i, 8_192],
  [/^(?:spark-4\.0-ultra|4\.0ultra)$/i, 32_768],
  [/^spark-x/i, 65_536],
  [/^ernie-4\.5-turbo/i, 12_288],
  [/^ernie-(?:[34]\.\d|bot|speed|lite|tiny|char|novel|func)(?!.*128k)/i, 2_048],
  [/^ernie-(?:[34]\.\d|speed|lite).*128k/i, 4_096],
];

/** Upper limit of a reservation where the model's own limit is unknown, in tokens. */
export const UNKNOWN_MAX_OUTPUT_TOKENS = 16_384;

/**
 * Returns the longest answer of a model in tokens; undefined for most models except OpenAI's and Claude. Ignores a vendor before the name
 * (`openai/gpt-5`).
 */
export function maxOutputTokens(model: string): number | undefined {
  const name = withoutVendor(model);
  return specs.get(name)?.output ?? familyCaps.find(([family]) => family.test(name))?.[1];
}

/** Returns the limit of an answer, in tokens, for an API that requires one where the caller sets none; at most the model's own. */
export function requiredLimit(model: string): number {
  return maxOutputTokens(model) ?? Math.min(UNKNOWN_MAX_OUTPUT_TOKENS, knownContextTokens(model) ?? Infinity);
}

const LONGEST_CONTEXT_TOKENS = 2_097_152;
const MAX_REMEMBERED = 1_000;
const remembered = new Map<string, number | undefined>();
let rememberedOf: PriceList | undefined;

/** Returns the most tokens of prompt and answer together; the longest known context for an unlisted model. */
export function contextTokens(model: string): number {
  return knownContextTokens(model) ?? LONGEST_CONTEXT_TOKENS;
}

export function knownContextTokens(model: string): number | undefined {
  const known = specs.get(withoutVendor(model))?.context;
  if (known !== undefined) return known;
  if (rememberedOf !== priceListInUse() || remembered.size >= MAX_REMEMBERED) {
    remembered.clear();
    rememberedOf = priceListInUse();
  }
  if (!remembered.has(model)) {
    remembered.set(model, listedContextTokens(model));
  }
  return remembered.get(model);
}

/** Removes a vendor before the name: `openai/gpt-5` becomes `gpt-5`. */
export function withoutVendor(model: string): string {
  return model.replace(/^(?:openai|anthropic)\//, "");
}

function countOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
