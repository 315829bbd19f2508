import type { Usage } from "@one-api/providers/usage";
import type { UsageCharge } from "../../features/logs/index.ts";
import { productOf } from "./charge-product.ts";
import { findTerms, type TermKind, Terms } from "./charge-terms.ts";
import { describeCharge, stepAt } from "./compute-charge.ts";
import type { Price, PriceStep } from "./price-model.ts";

/** Charge of many answers at one price, rounded up once. */
export class ChargeTotal {
  readonly #price: Price;
  /** Price that all terms are ratios to: the first one that is not free. */
  readonly #base: PriceStep["price"];
  readonly #tokens = new Map<TermKind, Map<number, number>>();

  constructor(price: Price) {
    this.#price = price;
    const all = [price, ...(price.steps ?? []).map((step) => step.price)];
    this.#base = all.find(({ modelRatio }) => modelRatio > 0) ?? price;
  }

  add(usage: Usage): void {
    const price = stepAt(this.#price, usage.promptTokens)?.price ?? this.#price;
    const scale = this.#base.modelRatio > 0 ? price.modelRatio / this.#base.modelRatio : 1;
    const terms = findTerms(usage, price);
    for (let index = 0; index < terms.length; index += 1) {
      const [kind, ratio] = [terms.kind(index), terms.ratio(index) * scale];
      const byRatio = this.#tokens.get(kind) ?? new Map<number, number>();
      this.#tokens.set(kind, byRatio);
      byRatio.set(ratio, (byRatio.get(ratio) ?? 0) + Math.ceil(terms.tokens(index)));
    }
  }

  get charge(): number {
    return productOf(this.#terms(), this.#base);
  }

  describe(rule: UsageCharge["rule"]): UsageCharge {
    return describeCharge(this.#terms(), this.#base, { rule });
  }

  #terms(): Terms {
    const terms = new Terms();
    for (const [kind, byRatio] of this.#tokens) for (const [ratio, tokens] of byRatio) terms.add(kind, tokens, ratio);
    return terms;
  }
}
