import type { ApiError } from "./api/api-error.ts";
import { loadChunk } from "./load-chunk.ts";
import type { EntryForm } from "./entry-rules.ts";

const loadRules = () => loadChunk(() => import("./entry-rules.ts"));

/** Loads the schemas of the sign-in forms, whose pages are shown without them. */
export async function loadEntryRules(): Promise<void> {
  // Without them the server alone checks the input.
  await loadRules().catch(() => undefined);
}

/** Returns the refusal with which the server would answer; undefined where it would take the input, or the schemas do not load. */
export async function checkEntry(form: EntryForm, input: unknown): Promise<ApiError | undefined> {
  const rules = await loadRules().catch(() => undefined);
  return rules?.refusalOfForm(form, input);
}
