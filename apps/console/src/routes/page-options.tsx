import { lazyRouteComponent, redirect, type ParsedLocation } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { AdministratorsOnly } from "../features/shell/administrators-only.tsx";
import { i18n } from "../lib/i18n.ts";
import { loadChunk } from "../lib/load-chunk.ts";
import { currentUser } from "../lib/session.ts";

/** Who a page is for. `admin` pages explain themselves to others instead of sending them away. */
type PageAccess = "open" | "user" | "admin";

interface PageDefinition {
  access: PageAccess;
  load: () => Promise<{ default: () => ReactNode }>;
  /** Namespaces of texts that load with the page. */
  texts?: readonly string[];
}

/** Sends a visitor without a stored user to the login, with the address to come back to. */
function requireUser({ location }: { location: ParsedLocation }): void {
  if (currentUser() === undefined) throw redirect({ to: "/login", search: { from: location.href } });
}

function allowEverybody(): void {
  // Open pages have nothing to check.
}

/** Returns the route options of a page: its guard, its lazily loaded component and texts. */
export function pageOptions({ access, load, texts = [] }: PageDefinition) {
  const Page = lazyRouteComponent(() => loadChunk(load));
  const Guarded = () => (
    <AdministratorsOnly>
      <Page />
    </AdministratorsOnly>
  );
  return {
    beforeLoad: access === "open" ? allowEverybody : requireUser,
    loader: () => i18n.loadNamespaces([...texts]),
    component:
      access === "admin" ? Object.assign(Guarded, { preload: () => Page.preload?.() ?? Promise.resolve() }) : Page,
  };
}
