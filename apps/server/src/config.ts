import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { splitList } from "@one-api/contract/texts";
import { wrongNetwork } from "@one-api/contract/networks";
import { z } from "zod";
import { isLoopbackHost } from "./platform/network/loopback-host.ts";
import type { TracingOptions } from "./monitoring/start-tracing.ts";
import { REQUEST_LOG_FIELDS, type RequestLogOptions } from "./relay/telemetry/index.ts";
import { misspelledName } from "./core/misspelled-name.ts";
import { fileVariable, readSecretFiles } from "./read-secret-files.ts";

const portSchema = z
  .string()
  .regex(/^\d{1,5}$/, "must be a number from 0 to 65535")
  .transform(Number)
  .refine((port) => port <= 65_535, "must be a number from 0 to 65535");

const secondsSchema = (least: number, most: number) => wholeSchema(least, most, "seconds");

function wholeSchema(least: number, most: number, unit: string) {
  const wish = `must be a number of ${unit} from ${least} to ${most}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, wish)
    .transform(Number)
    .refine((number) => number >= least && number <= most, wish);
}

const partSchema = z
  .string()
  .regex(/^(0(\.\d{1,6})?|1(\.0+)?)$/, "must be a number from 0 to 1, for example 0.1")
  .transform(Number);

const networksSchema = z.string().transform((text, context) => {
  const networks = splitList(text);
  const wrong = wrongNetwork(networks);
  if (wrong === undefined) return networks;
  context.addIssue({ code: "custom", message: `must list addresses or CIDR ranges, and "${wrong}" is neither` });
  return z.NEVER;
});

/** A proxy list with every address would let clients forge their address. */
const proxiesSchema = networksSchema.refine((networks) => !networks.some((network) => network.endsWith("/0")), {
  message: "must list the addresses of your proxies, not every address there is (a range that ends in /0)",
});

/** The value is a secret, so the message does not repeat it. */
function readHeaders(text: string, context: z.RefinementCtx): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const header of splitList(text)) {
    const [, name = "", value = ""] = /^([\w-]+)=([\x20-\x7e]*)$/.exec(header) ?? [];
    if (name === "") {
      context.addIssue({ code: "custom", message: "must list headers as name=value, separated by commas" });
      return z.NEVER;
    }
    headers[name] = URL.canParse(`http://x/${value}`) ? decodeURIComponent(value) : value;
  }
  return headers;
}

function readFields(text: string, context: z.RefinementCtx): RequestLogOptions["fields"] {
  const names = splitList(text);
  const unknown = names.find((name) => !REQUEST_LOG_FIELDS.some((field) => field === name));
  if (unknown === undefined) return REQUEST_LOG_FIELDS.filter((field) => names.includes(field));
  const message = `must list fields out of ${REQUEST_LOG_FIELDS.join(", ")}, and "${unknown}" is none`;
  context.addIssue({ code: "custom", message });
  return z.NEVER;
}

const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

/** Time in which load balancers usually notice a stopping server. */
const STOP_DELAY_SECONDS = 5;

const environmentSchema = z.object({
  PORT: portSchema.default(3000),
  HOST: z.string().min(1, "must name an address to listen on").default("127.0.0.1"),
  BASE_PATH: z
    .string()
    .regex(/^(?:\/[\w.~-]+)*$/, "must be a path such as /gateway, without a slash at its end")
    .refine(
      (path) => !/^\/(?:api|v1|v1beta|v2|assets)(?:\/|$)/.test(path),
      "must not begin with /api, /v1, /v1beta, /v2 or /assets",
    )
    .default(""),
  WORKERS: z
    .union([z.literal("auto"), wholeSchema(1, 256, "processes")], {
      error: "must be auto or a number of processes from 1 to 256",
    })
    .default(1),
  DATA_DIR: z.string().min(1, "must name a folder").default("./data"),
  DATABASE_URL: z
    .string()
    .regex(/^(postgres(ql)?:\/\/.+)?$/, "must be empty (SQLite in DATA_DIR) or start with postgres://")
    .default(""),
  REDIS_URL: z
    .string()
    .regex(
      /^(rediss?:\/\/.+)?$/,
      "must be empty (each server enforces its share of rate limits) or start with redis://",
    )
    .default(""),
  ROOT_PASSWORD: z.string().min(8, "must have at least 8 characters").max(128).optional(),
  SECRET_KEY: z.string().min(32, "must have at least 32 characters").optional(),
  SECRET_KEY_PREVIOUS: z.string().min(32, "must have at least 32 characters").optional(),
  TRUSTED_PROXIES: proxiesSchema.default([]),
  ALLOWED_PRIVATE_NETWORKS: networksSchema.default([]),
  STREAM_WAIT_SECONDS: secondsSchema(1, 3_600).default(120),
  ANSWER_WAIT_SECONDS: secondsSchema(1, 3_600).default(600),
  REPORT_WAIT_SECONDS: secondsSchema(0, 300).default(15),
  STOP_DELAY_SECONDS: secondsSchema(0, 300).optional(),
  DRAIN_SECONDS: secondsSchema(1, 3_600).default(30),
  METRICS_TOKEN: z.string().min(16, "must have 16 characters at least").default(""),
  METRICS_PORT: portSchema.optional(),
  METRICS_HOST: z.string().min(1, "must name an address to listen on").default("127.0.0.1"),
  METRICS_LABEL_LIMIT: wholeSchema(10, 10_000, "values").default(100),
  BALANCE_CHECK_HOURS: wholeSchema(0, 8_760, "hours").default(24),
  LOG_STORE: z.enum(["on", "off"], { error: "must be on or off" }).default("on"),
  LOG_STORE_MEMORY: wholeSchema(64, 1_000_000, "MB").default(128),
  LOG_STORE_THREADS: wholeSchema(1, 64, "threads").default(1),
  LOG_LEVEL: z.enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(", ")}` }).default("warn"),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .string()
    .regex(/^(https?:\/\/\S+)?$/, "must be empty (no traces) or start with http:// or https://")
    .default(""),
  OTEL_EXPORTER_OTLP_HEADERS: z.string().transform(readHeaders).default({}),
  OTEL_SERVICE_NAME: z.string().default("one-api"),
  OTEL_TRACES_SAMPLER_ARG: partSchema.default(1),
  INSTANCE_NAME: z
    .string()
    .regex(/^[\w.:-]{1,64}$/, "must have 1 to 64 letters, digits and . : _ -")
    .optional(),
  REQUEST_LOG_LEVEL: z.enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(", ")}` }).default("info"),
  REQUEST_LOG_SAMPLE: partSchema.default(1),
  REQUEST_LOG_FIELDS: z
    .string()
    .transform(readFields)
    .default([...REQUEST_LOG_FIELDS]),
});

/** Variables whose value may also come from a file, which `…_FILE` names. */
const SECRET_VARIABLES = [
  "DATABASE_URL",
  "REDIS_URL",
  "ROOT_PASSWORD",
  "SECRET_KEY",
  "SECRET_KEY_PREVIOUS",
  "METRICS_TOKEN",
] as const;

export interface Config {
  readonly port: number;
  readonly host: string;
  readonly basePath: string;
  readonly workers: number;
  readonly dataDirectory: string;
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly rootPassword: string | undefined;
  readonly secretKey: string | undefined;
  /** Master key before the present one, which still opens secrets. */
  readonly previousSecretKey: string | undefined;
  readonly trustedProxies: readonly string[];
  /** Private ranges that the gateway may fetch from on behalf of clients. */
  readonly allowedPrivateNetworks: readonly string[];
  /** Timeout for the headers of a stream. */
  readonly streamWaitMs: number;
  /** Timeout for a complete answer and for a stream's first content. */
  readonly answerWaitMs: number;
  readonly reportWaitMs: number;
  /** Time for which a stopping server accepts connections. */
  readonly stopDelayMs: number;
  /** Time for which running requests may finish after that. */
  readonly drainMs: number;
  readonly metricsToken: string;
  readonly metricsServer: { readonly port: number; readonly host: string } | undefined;
  readonly metricsLabelLimit: number;
  /** 0: balances are not checked. */
  readonly balanceCheckHours: number;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  readonly instanceName: string | undefined;
  readonly requestLog: RequestLogOptions | undefined;
  readonly tracing: TracingOptions | undefined;
  readonly logStore: { readonly memoryMegabytes: number; readonly threads: number } | undefined;
}

export class ConfigError extends Error {
  override name = "ConfigError";
}

/** Reads the settings and the files of secrets. Throws ConfigError. */
export function readConfig(environment: Readonly<Record<string, string | undefined>> = process.env): Config {
  const set = setVariablesOf(environment);
  const misspelled = describeMisspelled(Object.keys(set));
  const files = readSecretFiles(set, SECRET_VARIABLES);
  const result = environmentSchema.safeParse(files.environment);
  if (!result.success || misspelled.length > 0 || files.problems.length > 0) {
    const wrong = result.error?.issues.map((issue) => `${String(issue.path[0])} ${issue.message}.`) ?? [];
    throw new ConfigError([...misspelled, ...files.problems, ...wrong].join("\n"));
  }
  const value = result.data;
  if (value.DATABASE_URL === "" && value.WORKERS !== "auto" && value.WORKERS > 1) {
    throw new ConfigError(
      "WORKERS must be 1 with SQLite, whose file belongs to one process. Set DATABASE_URL to a PostgreSQL database.",
    );
  }
  return {
    port: value.PORT,
    host: value.HOST,
    basePath: value.BASE_PATH,
    workers: value.WORKERS === "auto" ? autoWorkers(value.DATABASE_URL) : value.WORKERS,
    dataDirectory: resolve(value.DATA_DIR),
    databaseUrl: value.DATABASE_URL,
    redisUrl: value.REDIS_URL,
    rootPassword: value.ROOT_PASSWORD,
    secretKey: value.SECRET_KEY,
    previousSecretKey: value.SECRET_KEY_PREVIOUS,
    trustedProxies: value.TRUSTED_PROXIES,
    allowedPrivateNetworks: value.ALLOWED_PRIVATE_NETWORKS,
    streamWaitMs: value.STREAM_WAIT_SECONDS * 1_000,
    answerWaitMs: value.ANSWER_WAIT_SECONDS * 1_000,
    reportWaitMs: value.REPORT_WAIT_SECONDS * 1_000,
    stopDelayMs: (value.STOP_DELAY_SECONDS ?? (isLoopbackHost(value.HOST) ? 0 : STOP_DELAY_SECONDS)) * 1_000,
    drainMs: value.DRAIN_SECONDS * 1_000,
    metricsToken: value.METRICS_TOKEN,
    metricsServer:
      value.METRICS_PORT === undefined ? undefined : { port: value.METRICS_PORT, host: value.METRICS_HOST },
    metricsLabelLimit: value.METRICS_LABEL_LIMIT,
    balanceCheckHours: value.BALANCE_CHECK_HOURS,
    logLevel: value.LOG_LEVEL,
    instanceName: value.INSTANCE_NAME,
    requestLog: requestLogOf(value),
    tracing: tracingOf(value),
    logStore:
      value.LOG_STORE === "off"
        ? undefined
        : { memoryMegabytes: value.LOG_STORE_MEMORY, threads: value.LOG_STORE_THREADS },
  };
}

/** A process for each core with PostgreSQL, and one with SQLite. */
function autoWorkers(databaseUrl: string): number {
  return databaseUrl === "" ? 1 : availableParallelism();
}

function requestLogOf(value: z.infer<typeof environmentSchema>): RequestLogOptions | undefined {
  const { LOG_LEVEL, REQUEST_LOG_LEVEL: level, REQUEST_LOG_SAMPLE: sample, REQUEST_LOG_FIELDS: fields } = value;
  if (level === "silent" || LOG_LEVELS.indexOf(level) > LOG_LEVELS.indexOf(LOG_LEVEL)) return undefined;
  return LOG_LEVEL === "silent" ? undefined : { level, sample, fields };
}

function tracingOf(value: z.infer<typeof environmentSchema>): TracingOptions | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers } = value;
  const { OTEL_SERVICE_NAME: serviceName, OTEL_TRACES_SAMPLER_ARG: sample } = value;
  return endpoint === "" ? undefined : { endpoint, headers, serviceName, sample };
}

/** One line for each name that is probably a misspelled variable. Values are not included, as they may be secret. */
function describeMisspelled(names: readonly string[]): string[] {
  const known = [...Object.keys(environmentSchema.shape), ...SECRET_VARIABLES.map(fileVariable)];
  return names.flatMap((name) => {
    const right = misspelledName(name, known);
    return right === undefined ? [] : [`${name} is not a setting. Rename it to ${right}, or remove it.`];
  });
}

/** Variables of other programs that have no effect, and the setting to use instead. */
const FOREIGN_VARIABLES: Readonly<Record<string, string>> = {
  SQL_DSN: "DATABASE_URL (postgres://user:password@host/name)",
  LOG_SQL_DSN: "DATABASE_URL, where the log is too",
  SQLITE_PATH: "DATA_DIR, the folder of the database",
  REDIS_CONN_STRING: "REDIS_URL",
  SESSION_SECRET: "SECRET_KEY, which seals stored secrets; sessions need none",
  CRYPTO_SECRET: "SECRET_KEY",
  INITIAL_ROOT_TOKEN: "a token that root makes",
  INITIAL_ROOT_ACCESS_TOKEN: "an access token that root makes",
  RELAY_PROXY: "the setting HttpProxy",
  THEME: "the setting Theme",
  ...proxyVariables("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"),
};

function proxyVariables(...names: readonly string[]): Record<string, string> {
  const instead = "the setting HttpProxy (Settings in the console), for calls to providers";
  return Object.fromEntries(names.flatMap((name) => [name, name.toLowerCase()]).map((name) => [name, instead]));
}

/** Set by the process that starts workers: the worker's number, from 1. */
const WORKER_VARIABLE = "ONE_API_WORKER";

/** Environment of a worker, which has the port that the first one was given. */
export function workerEnvironment(number: number, port: number | undefined): NodeJS.ProcessEnv {
  const sharedPort = port === undefined ? {} : { PORT: String(port) };
  return { ...process.env, ...sharedPort, [WORKER_VARIABLE]: String(number) };
}

/** Number of this worker; undefined in a process that was not started as one. */
export function readWorkerNumber(): number | undefined {
  const number = process.env[WORKER_VARIABLE];
  return number === undefined || process.send === undefined ? undefined : Number(number);
}

/** One line for each set variable without effect, unless the setting to use instead is set. */
export function warnOfForeignVariables(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): readonly string[] {
  const isSet = (name: string) => [name, fileVariable(name)].some((each) => (environment[each] ?? "") !== "");
  return Object.entries(FOREIGN_VARIABLES)
    .filter(([foreign, here]) => isSet(foreign) && !isSet(/^[A-Z_]+/.exec(here)?.[0] ?? ""))
    .map(([foreign, here]) => `${foreign} is set and does nothing here. Use ${here}. See docs/configuration.md.`);
}

export class StartError extends Error {
  override readonly name = "StartError";
}

/** The environment of `npm run config`, with the key of ONE_API_KEY_FILE. Throws ConfigError. */
export function readClientEnvironment(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Readonly<Record<string, string>> {
  const files = readSecretFiles(setVariablesOf(environment), ["ONE_API_KEY"]);
  if (files.problems.length > 0) throw new ConfigError(files.problems.join("\n"));
  return files.environment;
}

/** An empty variable counts as unset. */
function setVariablesOf(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      value === undefined || value === "" ? [] : [[name, value]],
    ),
  );
}
