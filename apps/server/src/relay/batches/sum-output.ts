import type { UsageNote } from "@one-api/contract/logs/log-detail";
import { isRecord, numberOf, parseJson, recordOf, textOf } from "@one-api/providers/shared/json-fields";
import { completedBy, lacksTokens, NO_USAGE, type Usage } from "@one-api/providers/usage";
import type { RequestShape } from "../body/index.ts";
import { BYTES_PER_TOKEN, type CountTokens } from "../usage/index.ts";
import { ChargeTotal, clampUsage } from "../pricing/index.ts";
import type { BatchTerms, LineBound } from "./batch-terms.ts";
import { splitLines } from "./split-lines.ts";

/** Longest line of what a batch delivers, in bytes: as long as an answer may be. */
const MOST_LINE_BYTES = 32 * 1024 * 1024;

/** What the lines of a batch are charged by. */
export interface SumParts {
  readonly terms: BatchTerms;
  readonly bounds: ReadonlyMap<string, LineBound>;
  readonly shape: RequestShape;
  readonly countTokens: Pick<CountTokens, "text">;
  /** Prompts are counted here where the provider reports nothing. */
  readonly calcPrompt: boolean;
}

/** What a batch delivered, added up line by line. */
export class OutputSum {
  /** Lines with an answer. */
  answered = 0;
  /** Lines with an error. */
  failed = 0;
  promptTokens = 0;
  cachedTokens = 0;
  completionTokens = 0;
  readonly charge: ChargeTotal;
  /** What it costs the operator; undefined where nobody knows. */
  readonly cost: ChargeTotal | undefined;
  #isEstimated = false;
  #notes: readonly UsageNote[] = [];
  readonly #parts: SumParts;
  readonly #longest: LineBound;

  constructor(parts: SumParts) {
    this.#parts = parts;
    const { terms, bounds } = parts;
    this.charge = new ChargeTotal(terms.price);
    this.cost = terms.costPrice && new ChargeTotal(terms.costPrice);
    let [longestPrompt, longestCompletion] = [0, 0];
    for (const [prompt, completion] of bounds.values()) {
      longestPrompt = Math.max(longestPrompt, prompt);
      longestCompletion = Math.max(longestCompletion, completion);
    }
    this.#longest = [longestPrompt, longestCompletion];
  }

  /** How the usage is known. */
  get rule(): "usage" | "estimated" {
    return this.#isEstimated ? "estimated" : "usage";
  }

  /** What was wrong with the first report of it that cannot be. */
  get notes(): readonly UsageNote[] {
    return this.#notes;
  }

  /** Adds what a file says, as it comes. Rejects where it breaks off: what was added counts for nothing then. */
  async addFile(source: AsyncIterable<unknown>): Promise<void> {
    for await (const line of splitLines(source, MOST_LINE_BYTES)) this.#add(parseJson(line.toString()));
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
    const [prompt, completion] = this.#parts.bounds.get(textOf(line["custom_id"])) ?? this.#longest;
    const told = this.#parts.shape.format.readUsage(body);
    const isWhole = told !== undefined && !lacksTokens(told, this.#parts.shape.limits.length > 0);
    const reported = isWhole ? told : completedBy(told ?? NO_USAGE, this.#estimate(body, prompt));
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
    // A line is a batch's whatever tier it names; only what costs more adds to that.
    const priced = { ...usage, priceFactor: Math.max(1, usage.priceFactor) * this.#parts.terms.factor };
    this.charge.add(priced);
    this.cost?.add(priced);
  }

  #estimate(body: unknown, promptBound: number): Usage {
    this.#isEstimated = true;
    const { shape, countTokens, calcPrompt } = this.#parts;
    return {
      ...NO_USAGE,
      promptTokens: calcPrompt ? Math.ceil(promptBound / BYTES_PER_TOKEN) : 0,
      completionTokens: shape.limits.length > 0 ? countTokens.text(shape.format.answerText(body)) : 0,
    };
  }
}
