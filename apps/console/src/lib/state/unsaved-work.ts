const forms = new Set<() => boolean>();

/** Counts a form as work that would be lost with its page, whenever it says so; returns what takes it out again. */
export function watchUnsaved(isUnsaved: () => boolean): () => void {
  forms.add(isUnsaved);
  return () => forms.delete(isUnsaved);
}

/** Counts what a form that is gone already has sent as work that would be lost, until it is done. */
export async function watchSending(sending: Promise<unknown>): Promise<void> {
  const stop = watchUnsaved(() => true);
  try {
    await sending;
  } finally {
    stop();
  }
}

/** True while a form on the page holds something that was not saved. */
export function hasUnsavedWork(): boolean {
  return [...forms].some((isUnsaved) => isUnsaved());
}
