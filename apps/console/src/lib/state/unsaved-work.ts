const forms = new Set<() => boolean>();

/** Counts a form as work that would be lost with its page, whenever it says so; returns what takes it out again. */
export function watchUnsaved(isUnsaved: () => boolean): () => void {
  forms.add(isUnsaved);
  return () => forms.delete(isUnsaved);
}

/** True while a form on the page holds something that was not saved, or something was typed into a dialog. */
export function hasUnsavedWork(): boolean {
  return [...forms].some((isUnsaved) => isUnsaved()) || document.querySelector("form[data-edited]") !== null;
}
