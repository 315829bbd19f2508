import { PlainError } from "../lib/plain-error.mjs";

/**
 * Reads `[--ring <name>[,<name>]]… [part of a path]…`.
 * @param {string[]} given
 * @param {string[]} known names of all rings
 * @returns {{ rings: string[], filters: string[] }} all rings when none is named
 */
export function parseArguments(given, known) {
  const rest = given.flatMap((argument) =>
    argument.startsWith("--ring=") ? ["--ring", argument.slice(7)] : [argument],
  );
  const rings = rest.flatMap((argument, index) => (rest[index - 1] === "--ring" ? argument.split(",") : []));
  const filters = rest.filter((argument, index) => argument !== "--ring" && rest[index - 1] !== "--ring");
  const unknownOption = filters.find((argument) => argument.startsWith("-"));
  const unknownRing = rings.find((ring) => !known.includes(ring));
  const isCut = rest.at(-1) === "--ring";
  if (unknownOption !== undefined || unknownRing !== undefined || isCut) {
    const problem = unknownOption ?? (isCut ? "--ring without a name" : `--ring ${unknownRing}`);
    throw new PlainError(
      `${problem} is not known.\nUse: npm test -- [--ring ${known.join("|")}] [part of a test file's path]`,
    );
  }
  return { rings: known.filter((ring) => rings.length === 0 || rings.includes(ring)), filters };
}
