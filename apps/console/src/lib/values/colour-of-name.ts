/**
 * Colours for marks that stand for names, told apart by people who see few colours too (after Okabe and Ito), each at least three times
 * as light or dark as the grounds of both schemes.
 */
export const NAME_COLOURS = [
  "#0072b2",
  "#d55e00",
  "#00875f",
  "#c2679a",
  "#a6761d",
  "#2f8fc4",
  "#7d6bc4",
  "#7f7f34",
] as const;

/** For what has no name of its own. */
export const REST_COLOUR = "#80868f";

function hashOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < name.length; index += 1) hash = Math.imul(hash ^ name.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

/**
 * A colour for each name, which follows from the name alone, so that it is the same everywhere; of names that are shown together and
 * would have the same, the later one takes the next that is free.
 */
export function coloursOf(names: readonly string[]): ReadonlyMap<string, string> {
  const colours = new Map<string, string>();
  for (const name of names) {
    const taken = new Set(colours.size % NAME_COLOURS.length === 0 ? [] : colours.values());
    const first = hashOf(name) % NAME_COLOURS.length;
    const inTurn = [...NAME_COLOURS.slice(first), ...NAME_COLOURS.slice(0, first)];
    colours.set(name, inTurn.find((colour) => !taken.has(colour)) ?? NAME_COLOURS[first] ?? REST_COLOUR);
  }
  return colours;
}
