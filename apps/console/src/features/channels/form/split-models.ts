/** Model names in a typed or pasted text: one per comma or line. Names may hold spaces. */
export function splitModels(text: string): string[] {
  return text
    .split(/[,，\n\r\t]/)
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

/** The list with the names at its end, each once. */
export function withModels(models: readonly string[], names: readonly string[]): string[] {
  return [...new Set([...models, ...names])];
}
