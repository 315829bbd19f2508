import type { AliasComparison } from "@one-api/contract/usage/dashboard";

export type ComparedModel = AliasComparison["models"][number];

/** With fewer requests the figures of a model say little. */
export const LEAST_REQUESTS = 100;

/** Figures of one model. Null where there is nothing to divide by. */
export interface AliasFigures {
  /** Part of the alias's requests that the model served, 0 to 1. */
  readonly share: number | null;
  /** Part of the model's requests that it failed, those that another model answered then included. */
  readonly errors: number | null;
  readonly firstTokenMs: number | null;
  readonly tokens: number | null;
  /** Quota of a request. */
  readonly spend: number | null;
  /** Known cost of a request to the operator, in quota. */
  readonly cost: number | null;
}

function per(amount: number, requests: number): number | null {
  return requests === 0 ? null : amount / requests;
}

export function figuresOf({ usage, failed_over: failedOver }: ComparedModel, allRequests: number): AliasFigures {
  const { requests, errors, quota, prompt_tokens: prompt, completion_tokens: completion } = usage;
  return {
    share: per(requests, allRequests),
    errors: per(errors + failedOver, requests + failedOver),
    firstTokenMs: usage.first_byte_p50_ms,
    tokens: per(prompt + completion, requests),
    spend: per(quota, requests),
    cost: per(usage.cost ?? 0, requests - (usage.unknown_cost_requests ?? 0)),
  };
}

/** Models that have requests, but too few to be compared. */
export function smallSamples(models: readonly ComparedModel[]): readonly string[] {
  return models
    .filter(({ usage, failed_over: failedOver }) => {
      const requests = usage.requests + failedOver;
      return requests > 0 && requests < LEAST_REQUESTS;
    })
    .map(({ model }) => model);
}
