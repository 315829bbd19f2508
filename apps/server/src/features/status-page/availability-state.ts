import type { AvailabilityState } from "@one-api/contract/usage/availability";

/** Fewer requests give no failure rate: one failure of six is no outage. */
const LEAST_REQUESTS = 20;
const WORKS_FROM = 0.99;
const FAILS_BELOW = 0.9;

export function availabilityState({ requests, errors }: { requests: number; errors: number }): AvailabilityState {
  if (requests === 0) return "unused";
  const availability = (requests - errors) / requests;
  if (availability >= WORKS_FROM) return "works";
  if (requests < LEAST_REQUESTS) return "few";
  return availability >= FAILS_BELOW ? "troubled" : "fails";
}
