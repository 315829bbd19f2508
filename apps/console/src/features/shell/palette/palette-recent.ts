import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { useCurrentUser } from "../../../lib/state/session.ts";
import type { PaletteCommand } from "./palette-commands.tsx";

const MOST_PLACES = 5;

/** What the palette opened last, of one user and in one language, until the page is closed. */
let recent: { readonly owner: string; readonly places: readonly PaletteCommand[] } = { owner: "", places: [] };

function useOwner(): string {
  const { language } = useTranslation("palette");
  return `${language} ${useCurrentUser()?.id ?? ""}`;
}

export function useRecentPlaces(): readonly PaletteCommand[] {
  return recent.owner === useOwner() ? recent.places : [];
}

export function useRememberPlace(): (command: PaletteCommand) => void {
  const owner = useOwner();
  return ({ id: shownId, label, icon, run }) => {
    const id = shownId.startsWith("recent-") ? shownId : `recent-${shownId}`;
    const others = recent.owner === owner ? recent.places.filter((place) => place.id !== id) : [];
    recent = { owner, places: [{ id, label, icon, run }, ...others].slice(0, MOST_PLACES) };
  };
}
