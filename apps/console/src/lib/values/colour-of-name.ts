/**
 * Colours for marks of names, distinguishable with colour blindness (after Okabe and Ito), with a contrast of at least
 * 3 on both schemes.
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

export const REST_COLOUR = "#80868f";

function hashOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < name.length; index += 1) hash = Math.imul(hash ^ name.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

/**
 * Returns a stable colour per name. Of names shown together, a later one with a taken colour gets the next free one.
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
