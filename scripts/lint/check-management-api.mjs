// docs/management-api.md lists every call of the contract: `npm run check -- management-api`; `--write` writes the
// list.
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { scopeOf } from "../../packages/contract/src/accounts/management-key-scopes.ts";
import { listCalls, listFields } from "../../packages/contract/src/testing/list-calls.ts";
import { fromRoot } from "../lib/repository.mjs";

const PLACE = "docs/management-api.md";
const BEGIN = "<!-- calls: made by `node scripts/lint/check-management-api.mjs --write` -->";
const WHO = { anyone: "anybody", user: "users", admin: "administrators", root: "root" };

const page = readFileSync(fromRoot(PLACE), "utf8");
const begin = page.indexOf(BEGIN);
const wanted = `${page.slice(0, begin === -1 ? page.length : begin)}${BEGIN}\n\n${render(await listCalls())}`;
if (process.argv.includes("--write")) writeFileSync(fromRoot(PLACE), wanted);
else if (page !== wanted) {
  console.log(
    `${PLACE}: its list of calls is not the contract's. Run: node scripts/lint/check-management-api.mjs --write`,
  );
  process.exitCode = 1;
}

/** @typedef {import("../../packages/contract/src/call.ts").Call} Call */

/** @param {Call[]} calls */
function render(calls) {
  const nounOf = (/** @type {Call} */ call) => path.posix.normalize(call.path).split("/")[2] ?? "";
  const nouns = [...new Set(calls.map(nounOf))].toSorted();
  const sections = nouns.map((noun) => {
    const lines = calls.filter((call) => nounOf(call) === noun).map(renderCall);
    return `### ${noun}\n\n${lines.toSorted().join("\n")}\n`;
  });
  return `## Every call\n\nIn brackets: the required role, and the scope of a management key. Calls with * change something. Fields in bold are required.\n\n${sections.join("\n")}`;
}

/** @param {Call} call */
function renderCall(call) {
  const { method, path: place, access, changesState, summary } = call;
  const needed = scopeOf(call);
  const who = "scope" in needed ? `${WHO[access]}, \`${needed.scope}\`` : WHO[access];
  return `- \`${place.replaceAll(/:(\w+)/g, "{$1}")}\` **${method}**${changesState ? "\\*" : ""} (${who}): ${summary}.${fieldsOf(call)}`;
}

/** @param {Call} call */
function fieldsOf(call) {
  const fields = listFields(call).map(({ name, isRequired }) => (isRequired ? `**\`${name}\`**` : `\`${name}\``));
  return fields.length === 0 ? "" : ` Takes ${fields.join(", ")}.`;
}
