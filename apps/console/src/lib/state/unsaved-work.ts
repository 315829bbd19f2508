const forms = new Set<() => boolean>();

/** Registers a form as unsaved work while the function returns true; returns the unregister function. */
export function watchUnsaved(isUnsaved: () => boolean): () => void {
  forms.add(isUnsaved);
  return () => forms.delete(isUnsaved);
}

/** True while a form on the page holds something that was not saved, or something was typed into a dialog. */
export function hasUnsavedWork(): boolean {
  return [...forms].some((isUnsaved) => isUnsaved()) || document.querySelector("form[data-edited]") !== null;
}
