import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { z } from "zod";
import { runPromtool, startPrometheus, whyNoPrometheus } from "../testing/servers/start-prometheus.ts";
import { CHAT, chatBody, type RelayTest, startRelayTest } from "../testing/start-relay-test.ts";
import { waitUntil } from "@one-api/database/testing/wait-until";

const TOKEN = "a-token-of-the-monitor";
const DEPLOY = join(import.meta.dirname, "../../../../deploy");
const rulesFile = join(DEPLOY, "prometheus/alerts.yml");
const skip = whyNoPrometheus() ?? false;

const boardSchema = z.object({
  panels: z.array(z.object({ targets: z.array(z.object({ expr: z.string() })).default([]) })),
});

/** The dashboard's queries, with values in the place of Grafana's variables. */
function dashboardQueries(): string[] {
  const { panels } = boardSchema.parse(JSON.parse(readFileSync(join(DEPLOY, "grafana/one-api.json"), "utf8")));
  return panels
    .flatMap(({ targets }) => targets.map(({ expr }) => expr))
    .map((query) => query.replaceAll("$__rate_interval", "1m").replaceAll(/\$(?:instance|model)/g, ".*"));
}

function ruleQueries(): string[] {
  const rules = readFileSync(rulesFile, "utf8");
  const queries = [...rules.matchAll(/^ {8}expr: (?:\|\n((?: {10}.*\n)+)|(.*)\n)/gm)];
  return queries.map(([, block, line]) => block ?? line ?? "");
}

describe("dashboard, alert rules and Prometheus", () => {
  let gateway: RelayTest;
  before(async () => {
    gateway = await startRelayTest({ environment: { METRICS_TOKEN: TOKEN } });
    await gateway.addChannel(await gateway.upstream());
    const key = await gateway.addToken();
    for (const stream of [false, true]) await (await gateway.post(CHAT, key, chatBody("hello", { stream }))).text();
    await (await gateway.post(CHAT, "sk-unknown", chatBody("hello"))).text();
    await gateway.testApp.deps.relay.inFlight.idle();
  });
  after(() => gateway.close());
  const read = async () =>
    (await fetch(`${gateway.url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } })).text();

  test("use series that exist", async () => {
    const known = new Set([...(await read()).matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
    const queries = [...dashboardQueries(), ...ruleQueries()];
    assert.ok(queries.length > 50, "both files were read");
    const names = queries.flatMap((query) => query.match(/\b(?:one_api|nodejs|process)_\w+/g) ?? []);
    const unknown = names.filter((name) => !known.has(name) && !known.has(name.replace(/_bucket$/, "")));
    assert.deepEqual(unknown, []);
  });

  test("the metrics and rules pass promtool", { skip }, async () => {
    const metrics = runPromtool(["check", "metrics"], await read());
    // Node's own series have names that promtool advises against.
    const advice = metrics.output.split("\n").filter((line) => line.startsWith("one_api"));
    assert.deepEqual(advice, []);
    assert.doesNotMatch(metrics.output, /error while linting/);
    const rules = runPromtool(["check", "rules", rulesFile]);
    assert.equal(rules.code, 0, rules.output);
    const config = runPromtool(["check", "config", join(DEPLOY, "prometheus/prometheus.yml")]);
    assert.equal(config.code, 0, config.output);
  });

  test(
    "Prometheus scrapes the gateway and understands all queries; a server that has just started raises no alert",
    { skip },
    async () => {
      const prometheus = await startPrometheus(new URL(gateway.url), TOKEN);
      try {
        // A slow machine misses scrapes, which removes the values until the next one.
        for (const [query, value] of [
          ['up{job="one-api"}', 1],
          ['sum(one_api_requests_total{result="ok"})', 2],
          ["sum(one_api_refusals_total)", 1],
          ["sum(one_api_request_duration_seconds_count)", 2],
        ] as const)
          await waitUntil(async () => (await prometheus.query(query))[0] === value);
        for (const query of dashboardQueries()) await prometheus.query(query);
        for (const query of ruleQueries())
          assert.deepEqual(await prometheus.query(query), [], `a healthy server: ${query}`);
      } finally {
        await prometheus.close();
      }
    },
  );
});
