import { createRouter } from "@tanstack/react-router";
import { LoadingPlaceholder } from "./components/loading-placeholder.tsx";
import { PageError } from "./components/page-error.tsx";
import { parsePlainSearch, stringifyPlainSearch } from "./lib/plain-search.ts";
import { queryClient } from "./lib/query-client.ts";
import { onSessionExpired } from "./lib/session.ts";
import { channelRoutes } from "./routes/channel-routes.ts";
import { openRoutes } from "./routes/open-routes.ts";
import { rootRoute } from "./routes/root-route.ts";
import { unavailableRoutes } from "./routes/unavailable-routes.ts";
import { userRoutes } from "./routes/user-routes.ts";

const routeTree = rootRoute.addChildren([...openRoutes, ...userRoutes, ...channelRoutes, ...unavailableRoutes]);

/** Every address of the console. */
export const router = createRouter({
  routeTree,
  parseSearch: parsePlainSearch,
  stringifySearch: stringifyPlainSearch,
  defaultPendingComponent: LoadingPlaceholder,
  defaultErrorComponent: PageError,
  defaultPendingMs: 150,
  defaultPreload: "intent",
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
  interface HistoryState {
    /** Where to go back to after a login that a lost session made necessary. */
    origin?: string;
  }
}

onSessionExpired(() => {
  queryClient.clear();
  if (router.state.location.pathname === "/login") return;
  const origin = router.state.location.href;
  void router.navigate({ to: "/login", search: { expired: true }, state: { origin }, ignoreBlocker: true });
});
