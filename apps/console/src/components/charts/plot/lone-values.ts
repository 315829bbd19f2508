const isKnown = (value: number | null | undefined) => value !== null && value !== undefined;

/** Returns the indexes of values without a neighbour, which no line connects. */
export function loneValues(values: readonly (number | null)[]): number[] {
  return [...values.keys()].filter(
    (index) => isKnown(values[index]) && !isKnown(values[index - 1]) && !isKnown(values[index + 1]),
  );
}
