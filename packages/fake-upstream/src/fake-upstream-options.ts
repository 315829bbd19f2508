import type { Behaviour } from "./behaviour.ts";
import type { RequestRecord } from "./request-record.ts";
import type { UpstreamSettings } from "./upstream-settings.ts";

/** Everything about a fake upstream that can be chosen when it starts; all of it has a default. */
export interface FakeUpstreamOptions extends Partial<UpstreamSettings> {
  /** Default 127.0.0.1. */
  host?: string;
  /** Default 0: any free port. */
  port?: number;
  /** Default `{ kind: 'normal' }`. */
  behaviour?: BehaviourChoice;
  /** How many requests are remembered, the latest ones; default 1,000. */
  recordLimit?: number;
}

/** One behaviour for all requests, or a function that chooses it for each. */
export type BehaviourChoice = Behaviour | BehaviourChooser;

type BehaviourChooser = (request: RequestRecord) => Behaviour;
