import { type DestinationStream, type LevelWithSilent, type Logger, pino } from "pino";
import { logEachCauseOnce } from "./log-causes.ts";

const SECRET_FIELDS = [
  "authorization",
  "cookie",
  "set-cookie",
  "x-api-key",
  "api-key",
  "key",
  "password",
  "secret",
  "access_token",
  "token",
];

const REDACTED_PATHS = SECRET_FIELDS.flatMap((field) => {
  const name = `["${field}"]`;
  return [name, `*${name}`, `*.*${name}`];
});

/**
 * Creates a logger of JSON lines, on standard error by default. Secret fields are masked, and each cause of
 * failures has at most one line a minute.
 */
export function createLog(
  level: LevelWithSilent = "warn",
  stream: DestinationStream = pino.destination({ fd: 2, sync: true }),
): Logger {
  const redact = { paths: REDACTED_PATHS, censor: "(secret)" };
  return pino({ level, base: null, redact, hooks: { logMethod: logEachCauseOnce() } }, stream);
}
