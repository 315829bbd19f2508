const sizedProperty =
  /^(?:font(?:-size)?|(?:padding|margin)(?:-[a-z-]+)?|(?:row-|column-)?gap|border(?:-[a-z]+)*-radius)$/;
const rawSize = /(?<![\w-])-?(?!0*[12]?(?:\.0*)?px)\d*\.?\d+(?:px|rem)\b/;

/**
 * Every font size, space and radius of a style sheet that is no token (`var(--mantine-spacing-md)` and the like). Hairlines of one or
 * two pixels, `em` and percentages pass.
 * @param {string} file @param {string} css @returns {string[]} a line for each
 */
export function findRawSizes(file, css) {
  const text = css.replace(/\/\*[^]*?\*\//g, (comment) => comment.replace(/[^\n]/g, " "));
  return [...text.matchAll(/(?<=[{;]\s*)([a-z-]+)\s*:([^;{}]+)(?=[;}])/g)].flatMap(
    ({ 1: property = "", 2: value = "", index }) => {
      const written = withoutTokens(value);
      if (!sizedProperty.test(property) || !rawSize.test(written)) return [];
      const line = text.slice(0, index).split("\n").length;
      return [`${file}:${line} ${property}:${value.trimEnd()} — use a token, such as var(--mantine-spacing-md)`];
    },
  );
}

/** @param {string} value @returns {string} */
function withoutTokens(value) {
  const inner = value.replace(/var\([^()]*\)/g, "");
  return inner === value ? value : withoutTokens(inner);
}
