/**
 * What must not be written where.
 * @typedef {object} TextRule
 * @property {string} name
 * @property {string[]} files patterns as in import-rules.mjs
 * @property {RegExp} pattern
 * @property {"code" | "strings-too"} within comments are never looked at; `code` leaves out the insides of strings as well
 * @property {"same" | "exempt"} tests
 * @property {string} fix
 */

const server = "apps/server/src";

/** @type {TextRule[]} */
export const textRules = [
  {
    name: "environment-in-config-only",
    files: ["{apps,packages}/**", `!${server}/config.ts`, "!**/*.config.{ts,mts,js,mjs}"],
    pattern: /\bprocess\s*(?:\?\.|\.)\s*env\b|\{[^{}]*\benv\b[^{}]*\}\s*=\s*process\b/,
    within: "code",
    tests: "exempt",
    fix: "read it in apps/server/src/config.ts and pass the value on",
  },
  {
    name: "no-code-execution",
    files: [`${server}/**`, "packages/{contract,database,providers}/src/**", "apps/console/src/**"],
    pattern: /(?<![.\w])eval\s*\(|\bnew\s+Function\s*\(/,
    within: "code",
    tests: "exempt",
    fix: "never run text as code",
  },
  {
    name: "named-columns",
    files: [`${server}/**`],
    pattern: /\.selectAll\s*\(|\bselect\s+(?:distinct\s+)?\*/i,
    within: "strings-too",
    tests: "exempt",
    fix: "name the columns, so that a secret added later is not read by accident",
  },
  {
    name: "fetch-in-api-folders-only",
    files: ["apps/console/src/**", "!apps/console/src/lib/api-client*", "!apps/console/src/features/*/api/**"],
    pattern: /(?<![.\w])(?:(?:window|globalThis)\s*\.\s*)?fetch\s*\(|\bnew\s+(?:XMLHttpRequest|EventSource)\b/,
    within: "code",
    tests: "exempt",
    fix: "call the API through lib/api-client in a file of features/<noun>/api",
  },
];
