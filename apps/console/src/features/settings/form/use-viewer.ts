import { useIsAdmin, useIsRoot } from "../../../lib/state/session.ts";
import type { SavedOptions } from "../options/option-draft.ts";
import type { Viewer } from "../fields/shown-section.ts";

/** Returns which settings the viewer may set; until the options are loaded, the least. */
export function useViewer(saved: SavedOptions | undefined): Viewer {
  const isAdmin = useIsAdmin();
  const isRoot = useIsRoot();
  return { isAdmin, isRoot, isNarrowed: saved === undefined || saved.values["RootOnlySettings"] === "true" };
}
