/** Most suggestions at once; typing narrows them down. */
const SUGGESTIONS_SHOWN = 80;

/** The first suggestions that hold the typed text and are not chosen yet. */
export function suggestModels(suggestions: readonly string[], chosen: readonly string[], typed: string): string[] {
  const taken = new Set(chosen);
  const wanted = typed.toLowerCase();
  const found: string[] = [];
  for (const model of suggestions) {
    if (taken.has(model) || !model.toLowerCase().includes(wanted)) continue;
    found.push(model);
    if (found.length === SUGGESTIONS_SHOWN) break;
  }
  return found;
}
