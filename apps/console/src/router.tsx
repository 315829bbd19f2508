import { createBrowserHistory, parseHref, type RouterHistory } from "@tanstack/history";
import { createRouter } from "@tanstack/react-router";
import { basePath } from "./lib/base-path.ts";
import { LoadingPlaceholder } from "./components/loading-placeholder.tsx";
import { PageError } from "./components/page-error.tsx";
import { parsePlainSearch, stringifyPlainSearch } from "./lib/list/plain-search.ts";
import { forgetServerState, queryClient } from "./lib/api/query-client.ts";
import { onSessionExpired, onSessionTakenOver } from "./lib/state/session.ts";
import { administrationRoutes } from "./routes/administration-routes.ts";
import { channelRoutes } from "./routes/channel-routes.ts";
import { openRoutes } from "./routes/open-routes.ts";
import { rootRoute } from "./routes/root-route.ts";
import { userRoutes } from "./routes/user-routes.ts";

const routeTree = rootRoute.addChildren([...openRoutes, ...userRoutes, ...channelRoutes, ...administrationRoutes]);

/**
 * Returns the console's router. It opens the login after the session's end, and leaves pages of a user whom another tab
 * has replaced.
 */
export function createConsoleRouter(history: RouterHistory = createBasePathHistory()) {
  const router = createRouter({
    routeTree,
    parseSearch: parsePlainSearch,
    stringifySearch: stringifyPlainSearch,
    defaultPendingComponent: LoadingPlaceholder,
    defaultErrorComponent: PageError,
    defaultPendingMs: 150,
    // The page replaces the placeholder as soon as it is there.
    defaultPendingMinMs: 0,
    defaultPreload: "intent",
    // The query cache decides about reloads.
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    history,
  });
  onSessionExpired(() => {
    forgetServerState(queryClient);
    if (router.state.location.pathname === "/login") return;
    const { href, state } = router.state.location;
    const origin = state.origin ?? href;
    void router.navigate({ to: "/login", search: { expired: true }, state: { origin }, ignoreBlocker: true });
  });
  onSessionTakenOver(() => {
    forgetServerState(queryClient);
    void router.navigate({ to: "/token", ignoreBlocker: true });
  });
  return router;
}

/** Addresses in the browser begin with the base path; those in the console do not. */
function createBasePathHistory(): RouterHistory {
  return createBrowserHistory({
    createHref: (path) => basePath + path,
    parseLocation: () => {
      const { pathname, search, hash } = window.location;
      const path = pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length) : pathname;
      const state: unknown = window.history.state;
      const href = (path === basePath && path !== "" ? "/" : path) + search + hash;
      return parseHref(href, isRouterState(state) ? state : undefined);
    },
  });
}

function isRouterState(state: unknown): state is RouterHistory["location"]["state"] {
  return typeof state === "object" && state !== null && "__TSR_index" in state;
}

export const router = createConsoleRouter();

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
  interface HistoryState {
    origin?: string;
    /** Why another way to log in failed. */
    problem?: string;
  }
}
