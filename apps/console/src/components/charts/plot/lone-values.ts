const isKnown = (value: number | null | undefined) => value !== null && value !== undefined;

/**
 * Returns the indexes of values that are drawn as points: those without a neighbour, as lines go over unknown values.
 * Where most values are unknown, all known ones are.
 */
export function loneValues(values: readonly (number | null)[]): number[] {
  const known = [...values.keys()].filter((index) => isKnown(values[index]));
  if (known.length * 2 < values.length) return known;
  return known.filter((index) => !isKnown(values[index - 1]) && !isKnown(values[index + 1]));
}
