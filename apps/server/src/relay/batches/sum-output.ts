import type { UsageNote } from "@one-api/contract/logs/log-detail";
import { isRecord, numberOf, parseJson, recordOf, textOf } from "@one-api/providers/shared/json-fields";
import { completedBy, lacksTokens, NO_USAGE, type Usage } from "@one-api/providers/usage";
import type { RequestShape } from "../body/index.ts";
import { BYTES_PER_TOKEN, type CountTokens } from "../usage/index.ts";
import { ChargeTotal, clampUsage } from "../pricing/index.ts";
import type { BatchTerms, LineBound } from "./batch-terms.ts";
import { splitLines } from "./split-lines.ts";

const MAX_LINE_BYTES = 32 * 1024 * 1024;

export interface SumContext {
  readonly terms: BatchTerms;
  readonly bounds: ReadonlyMap<string, LineBound>;
  readonly shape: RequestShape;
  readonly countTokens: Pick<CountTokens, "text">;
  readonly calcPrompt: boolean;
}

export class OutputSum {
  answered = 0;
  failed = 0;
  promptTokens = 0;
  cachedTokens = 0;
  completionTokens = 0;
  readonly charge: ChargeTotal;
  readonly cost: ChargeTotal | undefined;
  #isEstimated = false;
  #notes: readonly UsageNote[] = [];
  readonly #context: SumContext;
  readonly #longest: LineBound;

  constructor(context: SumContext) {
    this.#context = context;
    const { terms, bounds } = context;
    this.charge = new ChargeTotal(terms.price);
    this.cost = terms.costPrice && new ChargeTotal(terms.costPrice);
    let [longestPrompt, longestCompletion] = [0, 0];
    for (const [prompt, completion] of bounds.values()) {
      longestPrompt = Math.max(longestPrompt, prompt);
      longestCompletion = Math.max(longestCompletion, completion);
    }
    this.#longest = [longestPrompt, longestCompletion];
  }

  get rule(): "usage" | "estimated" {
    return this.#isEstimated ? "estimated" : "usage";
  }

  get notes(): readonly UsageNote[] {
    return this.#notes;
  }

  /** Rejects if the file is interrupted; then the whole sum is invalid. */
  async addFile(source: AsyncIterable<unknown>): Promise<void> {
    for await (const line of splitLines(source, MAX_LINE_BYTES)) this.#add(parseJson(line.toString()));
  }

  #add(line: unknown): void {
    if (!isRecord(line)) return;
    const response = recordOf(line["response"]);
    const status = numberOf(response["status_code"]) ?? 0;
    const { body } = response;
    if (status < 200 || status > 299 || !isRecord(body)) {
      this.failed += 1;
      return;
    }
    this.answered += 1;
    const [prompt, completion] = this.#context.bounds.get(textOf(line["custom_id"])) ?? this.#longest;
    const report = this.#context.shape.format.readUsage(body);
    const isWhole = report !== undefined && !lacksTokens(report, this.#context.shape.limits.length > 0);
    const reported = isWhole ? report : completedBy(report ?? NO_USAGE, this.#estimate(body, prompt));
    const { usage, notes } = clampUsage(reported, {
      promptTokens: prompt,
      audioPromptTokens: 0,
      hasImages: false,
      completionTokens: completion,
      wantsAudio: false,
      priceFactor: 1,
      toolFees: 0,
    });
    if (this.#notes.length === 0) this.#notes = notes;
    this.promptTokens += usage.promptTokens;
    this.cachedTokens += usage.cachedTokens + usage.cachedAudioTokens;
    this.completionTokens += usage.completionTokens;
    // Batches have their own tier: a named tier can only raise the price.
    const priced = { ...usage, priceFactor: Math.max(1, usage.priceFactor) * this.#context.terms.factor };
    this.charge.add(priced);
    this.cost?.add(priced);
  }

  #estimate(body: unknown, promptBound: number): Usage {
    this.#isEstimated = true;
    const { shape, countTokens, calcPrompt } = this.#context;
    return {
      ...NO_USAGE,
      promptTokens: calcPrompt ? Math.ceil(promptBound / BYTES_PER_TOKEN) : 0,
      completionTokens: shape.limits.length > 0 ? countTokens.text(shape.format.answerText(body)) : 0,
    };
  }
}
