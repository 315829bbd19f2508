import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { type Config, ConfigError, readConfig, warnOfForeignVariables } from "./config.ts";
import { isLoopbackHost } from "./platform/network/loopback-host.ts";

const BAD_VALUES: readonly [name: string, value: string][] = [
  ["PORT", "70000"],
  ["PORT", "80a"],
  ["PORT", "-1"],
  ["BASE_PATH", "gateway"],
  ["BASE_PATH", "/gateway/"],
  ["BASE_PATH", "/api"],
  ["WORKERS", "0"],
  ["WORKERS", "many"],
  ["DATABASE_URL", "mysql://localhost/one"],
  ["REDIS_URL", "http://localhost"],
  ["ROOT_PASSWORD", "short"],
  ["SECRET_KEY", "too-short-to-be-a-key"],
  ["TRUSTED_PROXIES", "10.0.0.0/33"],
  ["TRUSTED_PROXIES", "10.0.0.1,proxy.example"],
  ["TRUSTED_PROXIES", "0.0.0.0/0"],
  ["TRUSTED_PROXIES", "10.0.0.1,::/0"],
  ["TRUSTED_PROXIES", "10.0.0.0/8/9"],
  ["TRUSTED_PROXIES", "10.0.0.0/008"],
  ["TRUSTED_PROXIES", "fe80::1%eth0"],
  ["ALLOWED_PRIVATE_NETWORKS", "::1/129"],
  ["STREAM_WAIT_SECONDS", "0"],
  ["ANSWER_WAIT_SECONDS", "2m"],
  ["REPORT_WAIT_SECONDS", "301"],
  ["STOP_DELAY_SECONDS", "301"],
  ["STOP_DELAY_SECONDS", "5s"],
  ["DRAIN_SECONDS", "0"],
  ["DRAIN_SECONDS", "3601"],
  ["ALLOWED_PRIVATE_NETWORKS", "10.0.0.0/8/9"],
  ["METRICS_TOKEN", "too-short"],
  ["METRICS_PORT", "65536"],
  ["METRICS_LABEL_LIMIT", "9"],
  ["BALANCE_CHECK_HOURS", "-1"],
  ["LOG_LEVEL", "verbose"],
  ["INSTANCE_NAME", "a b"],
  ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318"],
  ["OTEL_EXPORTER_OTLP_HEADERS", "Bearer hunter2"],
  ["OTEL_TRACES_SAMPLER_ARG", "2"],
  ["REQUEST_LOG_LEVEL", "all"],
  ["REQUEST_LOG_SAMPLE", "1.5"],
  ["REQUEST_LOG_FIELDS", "requestId,body"],
  ["LOG_STORE", "maybe"],
  ["LOG_STORE_MEMORY", "63"],
  ["LOG_STORE_THREADS", "0"],
];

describe("the environment", () => {
  test("[START-13] has a default for everything [START-20] [START-21] [START-22] [START-23] [START-25]", () => {
    assert.deepEqual(readConfig({}), {
      port: 3000,
      host: "127.0.0.1",
      basePath: "",
      workers: 1,
      dataDirectory: resolve("./data"),
      databaseUrl: "",
      redisUrl: "",
      rootPassword: undefined,
      secretKey: undefined,
      previousSecretKey: undefined,
      trustedProxies: [],
      allowedPrivateNetworks: [],
      streamWaitMs: 120_000,
      answerWaitMs: 600_000,
      reportWaitMs: 15_000,
      stopDelayMs: 0,
      drainMs: 30_000,
      metricsToken: "",
      metricsServer: undefined,
      metricsLabelLimit: 100,
      balanceCheckHours: 24,
      logLevel: "warn",
      instanceName: undefined,
      requestLog: undefined,
      tracing: undefined,
      logStore: { memoryMegabytes: 128, threads: 1 },
    });
  });

  test("reads every variable [START-24] [START-26]", () => {
    const environment = {
      PORT: "8080",
      HOST: "0.0.0.0",
      BASE_PATH: "/gateway",
      WORKERS: "4",
      DATA_DIR: "/data",
      DATABASE_URL: "postgres://us@db/one",
      REDIS_URL: "redis://cache",
      ROOT_PASSWORD: "long enough",
      SECRET_KEY: "an operator's own key of enough length",
      SECRET_KEY_PREVIOUS: "the operator's key before that of enough length",
      TRUSTED_PROXIES: "10.0.0.1",
      ALLOWED_PRIVATE_NETWORKS: "192.168.0.0/16",
      STREAM_WAIT_SECONDS: "20",
      ANSWER_WAIT_SECONDS: "90",
      REPORT_WAIT_SECONDS: "0",
      STOP_DELAY_SECONDS: "10",
      DRAIN_SECONDS: "600",
      METRICS_TOKEN: "a-token-of-the-monitor",
      METRICS_PORT: "9100",
      METRICS_HOST: "0.0.0.0",
      METRICS_LABEL_LIMIT: "500",
      BALANCE_CHECK_HOURS: "0",
      LOG_LEVEL: "debug",
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318",
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20x,tenant=a",
      OTEL_SERVICE_NAME: "gateway",
      OTEL_TRACES_SAMPLER_ARG: "0.5",
      INSTANCE_NAME: "gateway-1",
      REQUEST_LOG_LEVEL: "debug",
      REQUEST_LOG_SAMPLE: "0.25",
      REQUEST_LOG_FIELDS: "result, requestId",
      LOG_STORE: "on",
      LOG_STORE_MEMORY: "256",
      LOG_STORE_THREADS: "2",
    };
    assert.deepEqual(Object.values(readConfig(environment)), [
      8080,
      "0.0.0.0",
      "/gateway",
      4,
      ...Object.values(environment).slice(4, 10),
      ["10.0.0.1"],
      ["192.168.0.0/16"],
      20_000,
      90_000,
      0,
      10_000,
      600_000,
      "a-token-of-the-monitor",
      { port: 9100, host: "0.0.0.0" },
      500,
      0,
      "debug",
      "gateway-1",
      { level: "debug", sample: 0.25, fields: ["requestId", "result"] },
      {
        endpoint: "http://collector:4318",
        headers: { authorization: "Bearer x", tenant: "a" },
        serviceName: "gateway",
        sample: 0.5,
      },
      { memoryMegabytes: 256, threads: 2 },
    ]);
  });

  test("logs requests where both levels allow it", () => {
    const level = (environment: Record<string, string>) => readConfig(environment).requestLog?.level;
    assert.equal(level({ LOG_LEVEL: "info" }), "info");
    assert.equal(level({ REQUEST_LOG_LEVEL: "warn" }), "warn");
    assert.equal(level({ LOG_LEVEL: "error", REQUEST_LOG_LEVEL: "warn" }), undefined);
    assert.equal(level({ LOG_LEVEL: "trace", REQUEST_LOG_LEVEL: "silent" }), undefined);
    assert.equal(level({ LOG_LEVEL: "silent", REQUEST_LOG_LEVEL: "fatal" }), undefined);
  });

  test("is one table, and every variable is documented [START-27] [START-28]", () => {
    const table = /z\.object\(\{([^]*?)^\}\);/m.exec(readFileSync(join(import.meta.dirname, "config.ts"), "utf8"))?.[1];
    const variables = [...(table ?? "").matchAll(/^ {2}([A-Z_]+): /gm)].map(([, name]) => name);
    const page = readFileSync(join(import.meta.dirname, "../../../docs/configuration.md"), "utf8");
    const documented = [...page.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name);
    assert.equal(variables.length, 34);
    assert.deepEqual(documented, variables);
  });

  test("reports variables of One API and their names here, unless those are set", () => {
    const older = { SQL_DSN: "postgres://us:hunter2@db/one", SESSION_SECRET: "x", REDIS_CONN_STRING: "", PORT: "3000" };
    const warnings = warnOfForeignVariables(older);
    assert.equal(warnings.length, 2);
    assert.match(warnings[0] ?? "", /^SQL_DSN is set and does nothing here\. Use DATABASE_URL/);
    assert.match(warnings[1] ?? "", /^SESSION_SECRET .* SECRET_KEY/);
    assert.doesNotMatch(warnings.join(), /hunter2/);
    assert.equal(warnOfForeignVariables({ ...older, DATABASE_URL: "postgres://db/one" }).length, 1);
    assert.equal(warnOfForeignVariables({ ...older, DATABASE_URL_FILE: "/run/secrets/url" }).length, 1);
    assert.deepEqual(warnOfForeignVariables({}), []);
  });

  test("reports that proxy variables have no effect, in either case", () => {
    const proxies = { HTTP_PROXY: "http://us:hunter2@proxy:3128", https_proxy: "http://proxy:3128", ALL_PROXY: "" };
    const warnings = warnOfForeignVariables(proxies);
    assert.equal(warnings.length, 2);
    for (const [index, name] of ["HTTP_PROXY", "https_proxy"].entries())
      assert.match(
        warnings[index] ?? "",
        new RegExp(`^${name} is set and does nothing here\\. Use the setting HttpProxy`),
      );
    assert.doesNotMatch(warnings.join(), /hunter2/);
  });

  test("delays the stop by five seconds on public addresses, unless it is set", () => {
    assert.equal(readConfig({ HOST: "0.0.0.0" }).stopDelayMs, 5_000);
    assert.equal(readConfig({ HOST: "::1" }).stopDelayMs, 0);
    assert.equal(readConfig({ HOST: "0.0.0.0", STOP_DELAY_SECONDS: "0" }).stopDelayMs, 0);
    assert.equal(readConfig({ HOST: "127.0.0.1", STOP_DELAY_SECONDS: "20" }).stopDelayMs, 20_000);
  });

  test("starts a worker per core on PostgreSQL alone", () => {
    const postgres = { DATABASE_URL: "postgres://us@db/one" };
    assert.equal(readConfig({ WORKERS: "auto", ...postgres }).workers, availableParallelism());
    assert.equal(readConfig({ WORKERS: "auto" }).workers, 1);
    assert.throws(() => readConfig({ WORKERS: "2" }), /^ConfigError: WORKERS must be 1 with SQLite/);
  });

  for (const [wrong, right] of [
    ["DATABSE_URL", "DATABASE_URL"],
    ["DATABASE_URLS", "DATABASE_URL"],
    ["DATABASE_URI", "DATABASE_URL"],
    ["DATABAES_URL", "DATABASE_URL"],
    ["database_url", "DATABASE_URL"],
    ["SECRETKEY", "SECRET_KEY"],
    ["TRUSTED_PROXYES", "TRUSTED_PROXIES"],
    ["DATADIR", "DATA_DIR"],
    ["PROT", "PORT"],
    ["HOSST", "HOST"],
    ["SECRET_KEY_FILES", "SECRET_KEY_FILE"],
    ["DATABSE_URL_FILE", "DATABASE_URL_FILE"],
  ] as const) {
    test(`refuses ${wrong} and names ${right}, without the value`, () => {
      assert.throws(
        () => readConfig({ [wrong]: "hunter2hunter2", PORT: "x" }),
        (error) =>
          error instanceof ConfigError &&
          error.message ===
            `${wrong} is not a setting. Rename it to ${right}, or remove it.\nPORT must be a number from 0 to 65535.`,
      );
    });
  }

  test("ignores variables of other programs", () => {
    const others = [
      "POST",
      "HOSTS",
      "PORTS",
      "SORT",
      "HOSTNAME",
      "PATH",
      "HOME",
      "REDIS_PORT",
      "DATABASE_HOST",
      "PGDATA",
    ];
    assert.equal(readConfig(Object.fromEntries(others.map((name) => [name, "x"]))).port, 3000);
    assert.equal(readConfig({ DATABSE_URL: "" }).databaseUrl, "", "an empty variable counts as not set");
  });

  test("treats an empty variable as unset", () => {
    assert.equal(readConfig({ PORT: "", DATA_DIR: "" }).port, 3000);
  });

  test("parses lists of IPv4 and IPv6 networks", () => {
    assert.deepEqual(readConfig({ TRUSTED_PROXIES: "10.0.0.0/8, ::1" }).trustedProxies, ["10.0.0.0/8", "::1"]);
  });

  for (const [name, value] of BAD_VALUES) {
    test(`refuses ${name}=${value} by name [START-29]`, () => {
      assert.throws(
        () => readConfig({ [name]: value }),
        (error) => error instanceof ConfigError && error.message.startsWith(`${name} must`),
      );
    });
  }

  test("reports all invalid variables at once, without secrets", () => {
    const read = () => readConfig({ PORT: "x", SECRET_KEY: "hunter2" });
    assert.throws(
      read,
      (error) =>
        error instanceof ConfigError &&
        /PORT.*\n.*SECRET_KEY/s.test(error.message) &&
        !error.message.includes("hunter2"),
    );
  });

  for (const [name, value, read] of [
    ["DATABASE_URL", "postgres://us:hunter2@db/one", (config) => config.databaseUrl],
    ["REDIS_URL", "redis://:hunter2@cache", (config) => config.redisUrl],
    ["ROOT_PASSWORD", " hunter2 with spaces ", (config) => config.rootPassword],
    ["SECRET_KEY", "an operator's own key of enough length", (config) => config.secretKey],
    ["SECRET_KEY_PREVIOUS", "the key before it, of enough length", (config) => config.previousSecretKey],
    ["METRICS_TOKEN", "a-token-of-the-monitor", (config) => config.metricsToken],
  ] satisfies [string, string, (config: Config) => unknown][]) {
    test(`reads ${name} from the file of ${name}_FILE, without the newline at its end`, (t) => {
      for (const end of ["", "\n", "\r\n"])
        assert.equal(read(readConfig({ [name]: "", [`${name}_FILE`]: secretFile(t, value + end) })), value);
    });
  }

  test("names the variable and the fix of every secret file that cannot be used, without its content", (t) => {
    const file = secretFile(t, "hunter2\n");
    const environment = {
      DATABASE_URL_FILE: `${file}-gone`,
      REDIS_URL_FILE: secretFile(t, "\n"),
      ROOT_PASSWORD_FILE: file,
      SECRET_KEY: "an operator's own key of enough length",
      SECRET_KEY_FILE: file,
    };
    assert.throws(
      () => readConfig(environment),
      (error) => {
        assert.ok(error instanceof ConfigError);
        assert.deepEqual(error.message.split("\n"), [
          `DATABASE_URL_FILE: the file ${file}-gone cannot be read (ENOENT). Name a file that this user may read, or set DATABASE_URL itself.`,
          `REDIS_URL_FILE: the file ${environment.REDIS_URL_FILE} is empty. Write the value of REDIS_URL into it.`,
          "SECRET_KEY and SECRET_KEY_FILE are both set. Remove one of them.",
          "ROOT_PASSWORD must have at least 8 characters.",
        ]);
        return true;
      },
    );
  });

  test("recognises loopback addresses", () => {
    for (const host of ["localhost", "127.0.0.1", "127.8.8.8", "::1"]) assert.equal(isLoopbackHost(host), true, host);
    for (const host of ["0.0.0.0", "::", "192.168.1.1", "example.com"]) assert.equal(isLoopbackHost(host), false, host);
  });
});

function secretFile(t: TestContext, content: string): string {
  const folder = mkdtempSync(join(tmpdir(), "one-api-secret-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "secret");
  writeFileSync(file, content);
  return file;
}
