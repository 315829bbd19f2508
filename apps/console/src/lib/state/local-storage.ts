/** Returns the stored text, or undefined when there is none or storage is blocked. */
export function readStored(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Stores the text; an empty or missing one removes the key. Blocked or full storage is no error. */
export function writeStored(key: string, value: string | undefined): void {
  try {
    if (value === undefined || value === "") localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // The console works without storage: everything in it comes from the server again.
  }
}

/** Returns the stored JSON, or undefined when it is missing or broken. */
export function readStoredJson(key: string): unknown {
  const text = readStored(key);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
