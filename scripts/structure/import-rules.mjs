/**
 * Who may import whom. Patterns: `*` within a folder, `**` across folders, `{a,b}` either, `<name>` one folder, the same one
 * wherever the rule names it; a leading `!` takes out again. An import is a repository path, `npm:<package>` or `node:<module>`.
 * @typedef {object} ImportRule
 * @property {string} name
 * @property {string[]} files whose imports are looked at
 * @property {string[]} [mayImport] anything else is a violation
 * @property {string[]} [mayNotImport] a violation even when `mayImport` has it
 * @property {"same" | "exempt"} tests whether test files keep the rule; where they do, `testsMayImport` is open to them as well
 * @property {string} fix what to do instead
 */

/** Test files and what only they use. */
export const testFiles = ["**/*.test.{ts,tsx,mjs}", "**/testing/**"];

/** Open to every test file, whatever its layer. */
export const testsMayImport = ["node:**", "npm:**", "packages/fake-upstream/src/**", "**/testing/**"];

const packages = ["npm:**", "node:**"];
const server = "apps/server/src";

/** What is in packages/providers beside one folder for each provider. */
const providerCommons = ["shared", "formats", "models", "prices", "testing"].map(
  (name) => `packages/providers/src/${name}/**`,
);

/** @type {ImportRule[]} */
export const importRules = [
  {
    name: "contract-imports",
    files: ["packages/contract/src/**"],
    mayImport: ["packages/contract/src/**", "npm:zod"],
    tests: "same",
    fix: "the contract runs in the browser too: keep it to zod and its own files",
  },
  {
    name: "database-imports",
    files: ["packages/database/src/**"],
    mayImport: ["packages/database/src/**", "npm:kysely", "npm:pg", "npm:pg-*", "node:**"],
    tests: "same",
    fix: "the database package knows its drivers only: pass what it needs as an argument",
  },
  {
    name: "provider-imports",
    files: ["packages/providers/src/<folder>/**"],
    mayImport: [
      "packages/providers/src/<folder>/**",
      ...providerCommons,
      "packages/providers/src/*.ts",
      "!packages/providers/src/registry.ts",
      "packages/contract/src/**",
      ...packages,
    ],
    tests: "same",
    fix: "move what several providers need to providers/src/shared or formats; never reach into another provider",
  },
  {
    name: "only-registry-names-providers",
    files: ["{packages,apps}/**", "!packages/providers/src/*/**", "!packages/providers/src/registry.ts"],
    mayNotImport: ["packages/providers/src/*/**", ...providerCommons.map((folder) => `!${folder}`)],
    tests: "same",
    fix: "ask packages/providers/src/registry.ts for the provider",
  },
  {
    name: "providers-are-pure",
    files: ["packages/providers/src/**"],
    mayNotImport: [
      "npm:fastify",
      "npm:@fastify/*",
      "npm:kysely",
      "npm:pg",
      "npm:undici",
      "node:{fs,fs/promises,http,https,http2,net,tls,dns,dgram,child_process,worker_threads,process,sqlite}",
    ],
    tests: "exempt",
    fix: "fetch, key and clock arrive as arguments",
  },
  {
    name: "core-imports",
    files: [`${server}/core/**`],
    mayNotImport: [`${server}/{features,relay,ledger,http,jobs,demo}/**`, `${server}/*.ts`],
    tests: "exempt",
    fix: "core is the lowest layer: move the code up, or pass what core needs as an argument",
  },
  {
    name: "ledger-imports",
    files: [`${server}/ledger/**`],
    mayImport: [`${server}/{ledger,core}/**`, "packages/{database,contract}/src/**", ...packages],
    tests: "exempt",
    fix: "the ledger knows core and the database only: pass the rest as an argument",
  },
  {
    name: "feature-internals",
    files: [`${server}/features/<feature>/**`],
    mayNotImport: [`${server}/features/*/**`, `!${server}/features/<feature>/**`, `!${server}/features/*/index.ts`],
    tests: "same",
    fix: "import from that feature's index.ts, and export there what others may use",
  },
  {
    name: "feature-internals",
    files: [`${server}/{http,relay}/**`],
    mayNotImport: [`${server}/features/*/**`, `!${server}/features/*/index.ts`],
    tests: "exempt",
    fix: "import from that feature's index.ts, and export there what others may use",
  },
  {
    name: "feature-imports",
    files: [`${server}/features/<feature>/**`],
    mayImport: [
      `${server}/features/<feature>/**`,
      `${server}/features/*/index.ts`,
      `${server}/core/**`,
      "packages/{contract,database}/src/**",
      ...packages,
    ],
    tests: "exempt",
    fix: "a feature uses core, contract, database and the index.ts of other features",
  },
  {
    name: "relay-imports",
    files: [`${server}/relay/**`],
    mayImport: [
      `${server}/{relay,core,ledger}/**`,
      `${server}/features/*/index.ts`,
      "packages/{providers,contract,database}/src/**",
      ...packages,
    ],
    tests: "exempt",
    fix: "the relay uses core, ledger, providers, contract, database and the index.ts of features",
  },
  {
    name: "nobody-imports-relay",
    files: [`${server}/{features,core,ledger,http}/**`],
    mayNotImport: [`${server}/relay/**`],
    tests: "same",
    fix: "the relay stands above: hand it a function in wire.ts instead",
  },
  {
    name: "no-code-execution",
    files: [`${server}/**`, `!${server}/demo/**`, "packages/{contract,database,providers}/src/**"],
    mayNotImport: ["node:{child_process,vm,repl,inspector}"],
    tests: "exempt",
    fix: "the server never starts programs or runs code it was given",
  },
  {
    name: "environment-in-config-only",
    files: ["{apps,packages}/**", `!${server}/config.ts`],
    mayNotImport: ["node:process"],
    tests: "exempt",
    fix: "`process` is a global; its environment is read in apps/server/src/config.ts only",
  },
  {
    name: "fake-upstream-in-tests-only",
    files: ["apps/*/src/**", `!${server}/demo/**`, "packages/{contract,database,providers}/src/**"],
    mayNotImport: ["packages/fake-upstream/**"],
    tests: "exempt",
    fix: "stub providers are for tests, the demo and the bench",
  },
  {
    name: "console-imports",
    files: ["apps/console/src/**"],
    mayImport: ["apps/console/src/**", "packages/contract/src/**", "npm:**"],
    tests: "same",
    fix: "the console knows the contract only: what both sides need belongs in packages/contract",
  },
  {
    name: "api-client-shows-nothing",
    files: ["apps/console/src/lib/api-client*", "apps/console/src/lib/api-client/**"],
    mayNotImport: ["npm:@mantine/notifications", "npm:@mantine/modals", "apps/console/src/**/*{notification,toast}*"],
    tests: "exempt",
    fix: "the client throws an ApiError; the screen decides what to show",
  },
  {
    name: "scripts-need-nothing",
    files: ["scripts/**"],
    mayImport: ["scripts/**", "node:**"],
    tests: "exempt",
    fix: "scripts run before anything is installed: Node's own modules only",
  },
];
