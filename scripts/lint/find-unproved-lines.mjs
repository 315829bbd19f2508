/**
 * @typedef {object} Specification
 * @property {Map<string, string>} lines each id of docs/specification.md, with the name of the check that proves it or an empty text
 * @property {Set<string>} notBuilt the ids of its section "Not built yet"
 */

const idInBrackets = /\[([A-Z]+-\d+(?:\.\.\d+)?(?:, ?[A-Z]+-\d+(?:\.\.\d+)?)*)\]/g;

/** @param {string} document the text of docs/specification.md @returns {Specification} */
export function readSpecification(document) {
  const [built = "", notBuilt = ""] = document.split(/^## Not built yet$/m);
  const lines = [...built.matchAll(/^- ([A-Z]+-\d+) .*?(?:\(check: ([\w-]+)\))?$/gm)];
  return {
    lines: new Map(lines.map(([, id = "", check = ""]) => [id, check])),
    notBuilt: new Set([...notBuilt.matchAll(/^- ([A-Z]+-\d+)$/gm)].map(([, id = ""]) => id)),
  };
}

/**
 * The ids that a test file's names carry: one in brackets, a range of one area, or several after commas. Comments prove nothing.
 * @param {string} source @returns {string[]}
 */
export function readProvedIds(source) {
  const code = source.replace(/^\s*(?:\/\/|\/?\*).*$/gm, "");
  return [...code.matchAll(idInBrackets)].flatMap(([, list = ""]) => list.split(/, ?/).flatMap(idsOfRange));
}

/** @param {string} range such as LOG-12 or LOG-12..14 */
function idsOfRange(range) {
  const [, area = "", first = "", last = first] = /^([A-Z]+)-(\d+)(?:\.\.(\d+))?$/.exec(range) ?? [];
  const count = Math.max(0, Number(last) - Number(first) + 1);
  return Array.from(
    { length: count },
    (_, index) => `${area}-${String(Number(first) + index).padStart(first.length, "0")}`,
  );
}

/**
 * Returns the differences between specification and tests, a sentence each.
 * @param {Specification} specification
 * @param {Map<string, string[]>} proved the ids that each test file names
 * @param {{ checks: Set<string>, notBuiltBefore: Set<string> | undefined }} known the names of all checks; the section
 * on the main branch, if there is one
 * @returns {string[]}
 */
export function findUnprovedLines({ lines, notBuilt }, proved, { checks, notBuiltBefore }) {
  const areas = new Set([...lines.keys()].map(areaOf));
  const named = new Set([...proved.values()].flat());
  const unknown = [...proved].flatMap(([file, ids]) =>
    ids
      .filter((id) => areas.has(areaOf(id)) && !lines.has(id))
      .map((id) => `${file}: names ${id}, which docs/specification.md does not have`),
  );
  const wrongChecks = [...lines].filter(([, check]) => check !== "" && !checks.has(check));
  const isProved = (/** @type {string} */ id) => named.has(id) || lines.get(id) !== "";
  return [
    ...unknown,
    ...wrongChecks.map(([id, check]) => `${id}: there is no check "${check}"`),
    ...[...lines.keys()]
      .filter((id) => !isProved(id) && !notBuilt.has(id))
      .map((id) => `${id}: no test names it; write one, with [${id}] in its name`),
    ...[...notBuilt].flatMap((id) => {
      if (!lines.has(id)) return [`${id}: "Not built yet" names a line that there is not`];
      if (isProved(id)) return [`${id}: is proved; take it out of "Not built yet"`];
      return notBuiltBefore?.has(id) === false ? [`${id}: was proved before; "Not built yet" takes no more lines`] : [];
    }),
  ];
}

/** @param {string} id */
function areaOf(id) {
  return id.slice(0, id.indexOf("-"));
}
