import { spawnSync } from "node:child_process";
import { PlainError, repositoryRoot } from "./repository.mjs";

/**
 * @typedef {{ license: { id?: string, name?: string } } | { expression: string }} Licence
 * @typedef {{ "bom-ref": string, name: string, version: string, licenses?: Licence[], properties?: { name: string, value: string }[] }} Component
 * @typedef {{ ref: string, dependsOn: string[] }} Dependency
 * @typedef {{ metadata: { component: Component }, components: Component[], dependencies: Dependency[] }} Sbom
 */

/**
 * Returns the CycloneDX document of everything that is shipped, from package-lock.json and without network: the dependencies of the
 * server, and those in the console's files. The workspaces are among its components. Throws PlainError with npm's message.
 * @returns {Sbom}
 */
export function readSbom() {
  // With --omit=dev, npm also leaves out packages that a development package needs as well, such as react.
  const run = spawnSync("npm", ["sbom", "--sbom-format=cyclonedx", "--package-lock-only", "--loglevel=error"], {
    cwd: repositoryRoot,
    encoding: "utf8",
    shell: process.platform === "win32",
    maxBuffer: 64 * 1024 * 1024,
  });
  if (run.status !== 0) throw new PlainError(`${run.stderr ?? ""}\nnpm sbom failed.`);
  /** @type {Sbom} */
  const whole = JSON.parse(run.stdout);
  const components = whole.components.filter((component) => !hasProperty(component, "cdx:npm:package:development"));
  // npm names the document after the folder.
  const root = { ...whole.metadata.component, name: "one-api" };
  const refs = new Set([root, ...components].map((component) => component["bom-ref"]));
  const dependencies = whole.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => refs.has(other)) }));
  return { ...whole, metadata: { ...whole.metadata, component: root }, components, dependencies };
}

/**
 * Returns the components of others, without the workspaces.
 * @param {Sbom} sbom
 */
export function foreignComponents({ components }) {
  return components.filter((component) => !hasProperty(component, "cdx:npm:package:private"));
}

/** @param {Component} component @param {string} property */
function hasProperty({ properties = [] }, property) {
  return properties.some(({ name }) => name === property);
}
