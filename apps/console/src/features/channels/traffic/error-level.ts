import { isTroubledRate, LEAST_RATED_REQUESTS } from "@one-api/contract/usage/troubled-rate";

const WARNING_RATE = 0.01;

interface Counts {
  readonly requests: number;
  readonly errors: number;
}

export function errorLevel({ requests, errors }: Counts): "normal" | "warning" | "danger" {
  if (isTroubledRate({ requests, errors })) return "danger";
  return requests >= LEAST_RATED_REQUESTS && errors / requests >= WARNING_RATE ? "warning" : "normal";
}
