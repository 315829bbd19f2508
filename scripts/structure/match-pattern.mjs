/**
 * @typedef {Record<string, string>} Captures what `<name>` parts stood for
 */

/** @type {Map<string, RegExp>} */
const compiled = new Map();

/**
 * Matches a path against a pattern: `*` within a folder, `**` across folders, `{a,b}` either, `<name>` one folder to be remembered.
 * @param {string} pattern
 * @param {string} place
 * @returns {Captures | undefined} undefined when it does not match
 */
export function matchPattern(pattern, place) {
  let expression = compiled.get(pattern);
  if (expression === undefined) compiled.set(pattern, (expression = compile(pattern)));
  const match = expression.exec(place);
  return match === null ? undefined : { ...match.groups };
}

/**
 * True when a place matches one of the patterns; patterns with a leading `!` take out again.
 * @param {string[]} patterns
 * @param {string} place
 * @param {Captures} [captures] values for the `<name>` parts
 */
export function matchesAny(patterns, place, captures = {}) {
  /** @param {string} pattern */
  const matches = (pattern) => matchPattern(fillIn(pattern, captures), place) !== undefined;
  const excluding = patterns.filter((pattern) => pattern.startsWith("!")).map((pattern) => pattern.slice(1));
  const including = patterns.filter((pattern) => !pattern.startsWith("!"));
  return including.some(matches) && !excluding.some(matches);
}

/** @param {string} pattern @param {Captures} captures */
function fillIn(pattern, captures) {
  return pattern.replace(/<([a-z]+)>/gi, (whole, name) => captures[name] ?? whole);
}

/** @param {string} pattern */
function compile(pattern) {
  const source = pattern.replace(/\*\*\/|\*\*|\*|<([a-z]+)>|\{[^}]*\}|[.+?^$()|[\]\\]/gi, (token, name) => {
    if (token === "**/") return "(?:.*/)?";
    if (token === "**") return ".*";
    if (token === "*") return "[^/]*";
    if (name !== undefined) return `(?<${name}>[^/]+)`;
    if (token.startsWith("{")) return `(?:${token.slice(1, -1).split(",").map(escape).join("|")})`;
    return `\\${token}`;
  });
  return new RegExp(`^${source}$`);
}

/** @param {string} text */
function escape(text) {
  return text.replace(/[.+?^$()|[\]\\]/g, "\\$&").replaceAll("*", "[^/]*");
}
