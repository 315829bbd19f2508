/** Returns the stored names that only a later release knows. A change of the others leaves them as they are. */
export function laterNames(stored: readonly string[], known: readonly (string | number)[]): string[] {
  const names = new Set(known.map(String));
  return stored.filter((name) => !names.has(name));
}
