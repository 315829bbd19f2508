/** SPDX names of licences that allow distribution with this program, under the MIT licence and unchanged. */
const allowed = new Set([
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC0-1.0",
  "ISC",
  "MIT",
  "MIT-0",
  "MPL-2.0",
  "OFL-1.1",
  "Unlicense",
]);

/**
 * Returns the licence of a component as an SPDX expression; empty if its package names none.
 * @param {import("./read-sbom.mjs").Component} component
 */
export function licenceOf({ licenses = [] }) {
  return licenses
    .map((licence) =>
      "expression" in licence ? licence.expression : (licence.license.id ?? licence.license.name ?? ""),
    )
    .join(" AND ");
}

/**
 * Whether an SPDX expression can be met by allowed licences. Nested expressions are refused.
 * @param {string} expression
 */
export function isAllowed(expression) {
  const choices = expression.replace(/^\((.*)\)$/, "$1").split(" OR ");
  return choices.some((choice) => choice.split(" AND ").every((name) => allowed.has(name)));
}
