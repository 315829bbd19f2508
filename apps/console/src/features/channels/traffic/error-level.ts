/** Fewer requests give no failure rate: one failure of six is no trouble. */
const LEAST_REQUESTS = 20;
const WARNING_RATE = 0.01;
const DANGER_RATE = 0.05;

interface Counts {
  readonly requests: number;
  readonly errors: number;
}

export function errorLevel({ requests, errors }: Counts): "normal" | "warning" | "danger" {
  if (requests < LEAST_REQUESTS || errors / requests < WARNING_RATE) return "normal";
  return errors / requests < DANGER_RATE ? "warning" : "danger";
}
