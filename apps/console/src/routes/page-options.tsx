import { lazyRouteComponent, notFound, type ParsedLocation, redirect } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "../lib/i18n/use-translation.ts";
import { ButtonLink } from "../components/buttons/button-link.tsx";
import { MessagePage } from "../components/message-page.tsx";
import { loadTexts } from "../lib/i18n/i18n.ts";
import { rowIdIn } from "../lib/use-row-id.ts";
import type { RawSearch } from "../lib/list/list-search.ts";
import { loadChunk } from "../lib/load-chunk.ts";
import { fieldsOf } from "../lib/values/read-values.ts";
import { currentUser, hasSessionExpired, isCurrentAdmin, useIsAdmin } from "../lib/state/session.ts";
import type { PageWithQueries } from "./page-queries.ts";
import type { PageDefinition } from "./pages.ts";

/** Shows an administrators' page to administrators; tells everybody else what it is, with a way back. */
function AdministratorsOnly({ children }: { children: ReactNode }) {
  const { t } = useTranslation("shell");
  const isAdmin = useIsAdmin();
  if (isAdmin) return children;
  return (
    <MessagePage
      title={t("adminOnly.title")}
      text={t("adminOnly.text")}
      action={<ButtonLink to="/token">{t("adminOnly.back")}</ButtonLink>}
    />
  );
}

/** Path parameter `$id` of pages on one row: a positive integer, anything else is no page. */
export const rowIdParams = {
  parse: ({ id }: { id: string }) => {
    if (!/^[1-9]\d{0,14}$/.test(id)) throw notFound();
    return { id: Number(id) };
  },
  stringify: ({ id }: { id: number }) => ({ id: String(id) }),
};

/** Redirects visitors to the login, with a return address and, after a session ended, the reason. */
function requireUser({ location }: { location: ParsedLocation }): void {
  if (currentUser() !== undefined) return;
  const { href } = location;
  throw hasSessionExpired()
    ? redirect({ to: "/login", search: { expired: true }, state: { origin: href } })
    : redirect({ to: "/login", search: { from: href } });
}

function allowEverybody(): void {
  // Open pages have nothing to check.
}

/** Redirects logged-in users away from the login, unless their session has ended. The address stays known, as the server may not know the session any more. */
function requireVisitor({ location, search }: { location: ParsedLocation; search: object }): void {
  if (currentUser() === undefined || fieldsOf(search)["expired"] === true) return;
  throw redirect({ to: "/token", replace: true, state: { origin: location.href } });
}

const GUARDS = { open: allowEverybody, visitor: requireVisitor, user: requireUser, admin: requireUser } as const;

/** Begins to load what a page shows first. The page shows the rows when they come, and why they do not. */
async function beginQueries(page: PageWithQueries, search: RawSearch, id: number | undefined): Promise<void> {
  const { loadQueries } = await loadChunk(() => import("./page-queries.ts"));
  await loadQueries(page, search, id);
}

/** Returns the route options of a page: its guard, and its code, texts and data, which load at the same time. */
export function pageOptions({ access, load, texts = [], queries }: PageDefinition) {
  const Page = lazyRouteComponent(() => loadChunk(load));
  const Guarded = () => (
    <AdministratorsOnly>
      <Page />
    </AdministratorsOnly>
  );
  return {
    beforeLoad: GUARDS[access],
    loader: async ({ location, params }: { location: ParsedLocation<RawSearch>; params: unknown }) => {
      const isForViewer = access !== "admin" || isCurrentAdmin();
      if (queries !== undefined && isForViewer)
        void beginQueries(queries, location.search, rowIdIn(params)).catch(() => undefined);
      await loadTexts(texts);
    },
    component:
      access === "admin" ? Object.assign(Guarded, { preload: () => Page.preload?.() ?? Promise.resolve() }) : Page,
  };
}
