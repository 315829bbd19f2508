import type { Logger } from "pino";
import type { Clock } from "../../platform/clock.ts";
import type { ClientAddress } from "../../platform/requests/client-address.ts";
import type { Telemetry } from "../telemetry/index.ts";
import type { CallerSource } from "./caller-source.ts";
import type { RateLimiter } from "../limits/index.ts";
import type { RefusalLog } from "./refusal-log.ts";
import type { WrongKeys } from "./wrong-keys.ts";

export interface CallerServices {
  readonly callers: CallerSource;
  readonly clientAddress: ClientAddress;
  readonly limiter: RateLimiter;
  readonly wrongKeys: WrongKeys;
  readonly refusals: RefusalLog;
  readonly clock: Clock;
  readonly log: Logger;
  readonly telemetry: Telemetry;
}
