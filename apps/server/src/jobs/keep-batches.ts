import type { Logger } from "pino";
import { type RepeatedWork, repeatWork } from "../core/work/repeat-work.ts";
import { followDueBatches } from "../relay/batches/follow-batches.ts";
import type { RelayDependencies } from "../relay/relay-dependencies.ts";

/** Between two looks which batches are due, in ms. */
const EVERY_MS = 20_000;

/** Charges batches and opens their files as they end, whoever asks for them or nobody, while the server runs. */
export function keepBatches(deps: RelayDependencies, log: Logger): Pick<RepeatedWork, "stop"> {
  return repeatWork({ name: "batches", everyMs: EVERY_MS, log }, () => followDueBatches(deps));
}
