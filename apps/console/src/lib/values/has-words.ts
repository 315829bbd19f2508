/** Returns whether every word of a search text occurs in the name, ignoring case. */
export function hasWords(text: string, name: string): boolean {
  const lowered = name.toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lowered.includes(word));
}
