/**
 * @typedef {object} BlankedSource
 * @property {string} withoutComments comments replaced by spaces
 * @property {string} codeOnly the insides of strings, templates and regular expressions replaced as well
 */

/** Where a slash begins a regular expression: after these characters or words no value can have ended. */
const regexMayFollow =
  /(?:^|[(,=:[!&|?{};+\-*%~^]|=>|\b(?:return|typeof|case|in|of|do|else|void|delete|throw|await|yield))\s*$/;

/**
 * Blanks what is not code, keeping every position and line, so that patterns can be searched without a parser.
 * @param {string} text TypeScript or JavaScript, with or without JSX
 * @returns {BlankedSource}
 */
export function blankSource(text) {
  const withoutComments = text.split("");
  const codeOnly = text.split("");
  /** Depths of braces at which a template's `${` was opened. @type {number[]} */
  const templateDepths = [];
  let depth = 0;
  let position = 0;

  /** @param {string[][]} targets @param {number} from @param {number} to */
  function blank(targets, from, to) {
    for (let index = from; index < to; index++) {
      if (text[index] !== "\n") for (const target of targets) target[index] = " ";
    }
  }
  function skipComment() {
    const isBlock = text[position + 1] === "*";
    const end = isBlock ? text.indexOf("*/", position + 2) : text.indexOf("\n", position);
    const stop = end === -1 ? text.length : end + (isBlock ? 2 : 0);
    blank([withoutComments, codeOnly], position, stop);
    position = stop;
  }
  /** @param {number} stop position after the closing delimiter */
  function skipLiteral(stop) {
    blank([codeOnly], position + 1, stop - 1);
    position = stop;
  }
  function skipTemplate() {
    const stop = endOfTemplatePart(text, position + 1);
    if (text[stop - 1] === "{") templateDepths.push(depth++);
    skipLiteral(stop);
  }

  function codeBefore() {
    return codeOnly.slice(Math.max(0, position - 40), position).join("");
  }

  while (position < text.length) {
    const character = text[position];
    const next = text[position + 1];
    if (character === "/" && (next === "/" || next === "*")) skipComment();
    else if (character === '"' || character === "'") skipLiteral(endOfLine(text, position, character));
    else if (character === "`") skipTemplate();
    else if (character === "/" && next !== ">" && regexMayFollow.test(codeBefore()))
      skipLiteral(endOfRegex(text, position));
    else if (character === "}" && templateDepths.at(-1) === depth - 1) {
      templateDepths.pop();
      depth--;
      skipTemplate();
    } else {
      if (character === "{") depth++;
      if (character === "}") depth--;
      position++;
    }
  }
  return { withoutComments: withoutComments.join(""), codeOnly: codeOnly.join("") };
}

/** @param {string} text @param {number} start @param {string} quote a string that never closes ends with its line */
function endOfLine(text, start, quote) {
  for (let index = start + 1; index < text.length; index++) {
    if (text[index] === "\\") index++;
    else if (text[index] === quote) return index + 1;
    else if (text[index] === "\n") return index;
  }
  return text.length;
}

/** @param {string} text @param {number} start @returns {number} after the closing backtick, or after `${` */
function endOfTemplatePart(text, start) {
  for (let index = start; index < text.length; index++) {
    if (text[index] === "\\") index++;
    else if (text[index] === "`") return index + 1;
    else if (text[index] === "$" && text[index + 1] === "{") return index + 2;
  }
  return text.length;
}

/** @param {string} text @param {number} start */
function endOfRegex(text, start) {
  let inClass = false;
  for (let index = start + 1; index < text.length && text[index] !== "\n"; index++) {
    if (text[index] === "\\") index++;
    else if (text[index] === "[") inClass = true;
    else if (text[index] === "]") inClass = false;
    else if (text[index] === "/" && !inClass) return index + 1;
  }
  return start + 1;
}
