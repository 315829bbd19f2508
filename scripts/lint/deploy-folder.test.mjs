import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { suite, test } from "node:test";
import { parse, parseAllDocuments } from "yaml";
import { fromRoot } from "../lib/repository.mjs";

/** @param {string} file from the repository's root */
const read = (file) => readFileSync(fromRoot(file), "utf8");

const deployed = readdirSync(fromRoot("deploy"), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && !entry.parentPath.includes("secrets"))
  .map((entry) => `${entry.parentPath.slice(fromRoot("").length)}/${entry.name}`.replace(/^\//, ""));

/** Lines of a file without comments. @param {string} file */
const lines = (file) =>
  read(file)
    .split("\n")
    .filter((line) => !/^\s*#/.test(line));

/**
 * @typedef {{ environment: Record<string, string>, secrets: string[], stop_grace_period: string, ports: [string],
 *   networks: { default: { ipv4_address: string } } }} ComposeService
 * @typedef {{ services: Record<"gateway" | "gateway-1" | "gateway-2" | "balancer", ComposeService>, secrets: Record<string, { file: string }> }} Compose
 * @typedef {{ httpGet: { path: string } }} Probe
 * @typedef {{ ports: [{ containerPort: number }], env: { name: string, value: string }[], startupProbe: Probe, livenessProbe: Probe,
 *   readinessProbe: Probe, volumeMounts: { name: string, mountPath: string }[] }} Container
 * @typedef {{ containers: [Container], terminationGracePeriodSeconds: number, securityContext: { runAsUser: number } }} Pod
 * @typedef {{ ConfigMap: { data: Record<string, string> }, Deployment: { spec: { template: { spec: Pod } } } }} Manifests
 * @typedef {{ [key: string]: Scope | string | number }} Scope
 */

/** @type {Compose} */
const compose = parse(read("deploy/compose.cluster.yaml"), { merge: true });
const plain = manifestsOf(["config-map", "deployment", "service", "pod-disruption-budget"], (name) =>
  read(`deploy/kubernetes/${name}.yaml`),
);
const pod = plain.Deployment.spec.template.spec;
const [container] = pod.containers;

suite("the folder deploy/", () => {
  test("names only variables of the server", () => {
    const known = findAll(read("apps/server/src/config.ts"), /(?<=^ {2})[A-Z][A-Z_]+(?=:)/gm);
    assert.ok(known.includes("DATABASE_URL"));
    /** Variables of Node and of other images. */
    const others = ["NODE_ENV", "NODE_OPTIONS", "NODE_COMPILE_CACHE", "VERSION", "REVISION"];
    const used = deployed.flatMap((file) => variablesIn(file).map((name) => ({ file, name })));
    assert.ok(used.length > 30);
    const wrong = used.filter(({ name }) => ![...known, ...others].includes(name.replace(/_FILE$/, "")));
    assert.deepEqual(wrong, []);
  });

  test("asks at ports and paths that the server has", () => {
    const { READINESS_PATHS, LIVENESS_PATH } = probePaths();
    const image = read("deploy/Dockerfile");
    const port = Number(/PORT=(\d+)/.exec(image)?.[1]);
    assert.match(image, new RegExp(`^EXPOSE ${port}$`, "m"));
    assert.ok(/^HEALTHCHECK.*\n.*'(\/\w+)'/m.exec(image)?.[1] === LIVENESS_PATH);
    assert.equal(container.startupProbe.httpGet.path, LIVENESS_PATH);
    assert.equal(container.livenessProbe.httpGet.path, LIVENESS_PATH);
    assert.ok(READINESS_PATHS.includes(container.readinessProbe.httpGet.path));
    assert.equal(container.ports[0].containerPort, port);
    const balancer = read("deploy/haproxy.cfg");
    assert.ok(READINESS_PATHS.includes(/httpchk GET (\S+)/.exec(balancer)?.[1] ?? ""));
    const servers = [...balancer.matchAll(/^ {2}server (\S+) (\S+)$/gm)].map(([, name, address]) => [name, address]);
    /** @type {("gateway-1" | "gateway-2")[]} */
    const gateways = ["gateway-1", "gateway-2"];
    assert.deepEqual(
      servers,
      gateways.map((name) => [name, `${compose.services[name].networks.default.ipv4_address}:${port}`]),
    );
    const spares = [...balancer.matchAll(/^ {2}server (\S+)-unready (\S+) backup no-check$/gm)];
    assert.deepEqual(
      spares.map(([, name, address]) => [name, address]),
      servers,
    );
    const proxy = compose.services.balancer.networks.default.ipv4_address;
    for (const name of gateways) assert.equal(compose.services[name].environment.TRUSTED_PROXIES, proxy);
    const bind = /^ {2}bind :(\d+)$/m.exec(balancer)?.[1];
    assert.ok(compose.services.balancer.ports[0].endsWith(`:${bind}`));
    assert.ok(singleGateway().ports[0].endsWith(`:${port}`));
  });

  test("waits longer than a stop takes", () => {
    /** @param {string | undefined} delay @param {string | undefined} drain */
    const stopSeconds = (delay, drain) => Number(delay ?? 5) + Number(drain ?? 30) + 10;
    /** @param {Record<string, string>} settings */
    const ofSettings = (settings) => stopSeconds(settings["STOP_DELAY_SECONDS"], settings["DRAIN_SECONDS"]);
    const single = singleGateway();
    assert.ok(parseInt(single.stop_grace_period) > stopSeconds(undefined, undefined));
    const gateway = compose.services["gateway-1"];
    assert.ok(parseInt(gateway.stop_grace_period) > ofSettings(gateway.environment));
    assert.ok(pod.terminationGracePeriodSeconds > ofSettings(plain.ConfigMap.data));
    for (const unit of ["one-api.service", "one-api@.service"]) {
      assert.ok(
        Number(/^TimeoutStopSec=(\d+)$/m.exec(read(`deploy/systemd/${unit}`))?.[1]) > stopSeconds(undefined, undefined),
      );
    }
  });

  test("mounts every secret that it names", () => {
    const { environment, secrets } = compose.services["gateway-1"];
    const files = Object.entries(environment).flatMap(([name, value]) => (name.endsWith("_FILE") ? [value] : []));
    assert.deepEqual(files.map((file) => file.replace("/run/secrets/", "")).sort(), [...secrets].sort());
    for (const name of secrets) assert.ok(compose.secrets[name], name);
    const mount = container.volumeMounts.find(({ name }) => name === "secrets")?.mountPath;
    for (const { value } of container.env) assert.ok(value.startsWith(`${mount}/`), value);
  });

  test("builds the image from every workspace", () => {
    /** @type {{ packages: Record<string, { link?: boolean, resolved?: string }> }} */
    const { packages } = JSON.parse(read("package-lock.json"));
    const workspaces = Object.values(packages).flatMap(({ link, resolved }) => (link && resolved ? [resolved] : []));
    const copied = lines("deploy/Dockerfile").flatMap(
      (line) => /^COPY (\S+)\/package\.json \1\/$/.exec(line)?.[1] ?? [],
    );
    assert.deepEqual(copied.sort(), workspaces.sort());
    const [, ...stages] = read("deploy/Dockerfile").split(/^FROM /m);
    assert.match(stages.at(-1) ?? "", /^USER 10001:10001$/m);
    assert.equal(pod.securityContext.runAsUser, 10001);
  });

  test("has the same sandbox in both units", () => {
    const [one, several] = ["one-api.service", "one-api@.service"].map((unit) =>
      lines(`deploy/systemd/${unit}`).filter((line) => !/^(?:Description|StateDirectory|Environment)=/.test(line)),
    );
    assert.deepEqual(one, several);
  });

  test("has the same objects in the chart and in the plain manifests", () => {
    const chart = parse(read("deploy/helm/Chart.yaml"));
    /** @type {{ version: string }} */
    const { version } = JSON.parse(read("package.json"));
    assert.deepEqual([chart.version, chart.appVersion], [version, version]);
    const values = {
      Values: parse(read("deploy/helm/values.yaml")),
      Chart: { AppVersion: version },
      Release: { Name: "one-api" },
    };
    const names = readdirSync(fromRoot("deploy/helm/templates")).filter((name) => name.endsWith(".yaml"));
    const rendered = manifestsOf(names, (name) => render(read(`deploy/helm/templates/${name}`), values));
    assert.deepEqual(rendered, plain);
    assert.equal(parse(read("deploy/kubernetes/kustomization.yaml")).resources.length, names.length);
  });
});

/** @param {string} text @param {RegExp} form @returns {string[]} */
function findAll(text, form) {
  return [...text.matchAll(form)].map(([found]) => found);
}

/** @returns {ComposeService} */
function singleGateway() {
  /** @type {Compose} */
  const { services } = parse(read("deploy/compose.yaml"));
  return services.gateway;
}

/** Names of variables that a file sets or reads. @param {string} file */
function variablesIn(file) {
  if (file.endsWith(".md")) return [];
  if (file.endsWith("Dockerfile")) return findAll(read(file), /(?<=^(?:ENV| {3}| {4}|ARG)\s*)[A-Z][A-Z_]+(?==)/gm);
  if (file.endsWith(".service")) return findAll(read(file), /(?<=^Environment=)[A-Z_]+/gm);
  const set = lines(file).flatMap((line) => /^\s+(?:- name: )?([A-Z][A-Z_]{3,}):? ?/.exec(line)?.[1] ?? []);
  return set.filter((name) => !name.startsWith("POSTGRES_"));
}

/** The server's own words for its probes. */
function probePaths() {
  const source = read("apps/server/src/http/register-health.ts");
  const ready = findAll(/READINESS_PATHS = \[([^\]]+)\]/.exec(source)?.[1] ?? "", /\/\w+/g);
  return { READINESS_PATHS: ready, LIVENESS_PATH: /LIVENESS_PATH = "(\/\w+)"/.exec(source)?.[1] };
}

/** @param {string[]} names @param {(name: string) => string} textOf @returns {Manifests} by kind */
function manifestsOf(names, textOf) {
  const documents = names.flatMap((name) => parseAllDocuments(textOf(name)).map((document) => document.toJS()));
  return Object.fromEntries(documents.map((document) => [document.kind, document]));
}

/**
 * Renders the few forms that the chart uses: `.Values.a`, `a | default b`, `toYaml .Values.a | nindent n`, and blocks of
 * `with .Values.a`, which are left out as their defaults are empty. Throws at any other.
 * @param {string} template @param {Scope} scope
 */
function render(template, scope) {
  const withoutBlocks = template.replace(/^ *\{\{- with (\S+) \}\}\n[^]*?\{\{- end \}\}\n/gm, (_block, path) => {
    const value = valueAt(scope, path);
    assert.equal(Object.keys(value).length, 0, `${path} has a default: the test cannot render its block`);
    return "";
  });
  return withoutBlocks
    .replace(/\s*\{\{- toYaml (\S+) \| nindent \d+ \}\}/g, (_form, path) => ` ${JSON.stringify(valueAt(scope, path))}`)
    .replace(/\{\{ (.+?) \}\}/g, (form, words) => {
      const [, first, second] =
        /^(\.[\w.]+)(?: \| default (\.[\w.]+))?$/.exec(words) ?? assert.fail(`unknown: ${form}`);
      const value = valueAt(scope, first ?? "") || valueAt(scope, second ?? "");
      return typeof value === "object" ? assert.fail(`no text: ${form}`) : `${value}`;
    });
}

/** @param {Scope} scope @param {string} path such as `.Values.image.tag` @returns {Scope | string | number} */
function valueAt(scope, path) {
  /** @type {Scope | string | number | undefined} */
  let value = scope;
  for (const key of path.slice(1).split(".")) value = typeof value === "object" ? value[key] : undefined;
  return value ?? assert.fail(`${path} has no value`);
}
