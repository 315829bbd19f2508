import { createRoute } from "@tanstack/react-router";
import type { LogSearch } from "../features/logs/log-search.ts";
import type { PlaygroundSearch } from "../features/playground/playground-search.ts";
import { readSettingsSearch } from "../features/settings/navigation/settings-search.ts";
import { readTokenListSearch } from "../features/tokens/token-list-search.ts";
import { pageOptions } from "./page-options.tsx";
import { rootRoute } from "./root-route.ts";
import { rowIdParams } from "./page-options.tsx";

const root = () => rootRoute;

const tokens = createRoute({
  getParentRoute: root,
  path: "/token",
  validateSearch: readTokenListSearch,
  ...pageOptions({
    access: "user",
    load: () => import("../features/tokens/token-list-page.tsx"),
    queries: "tokens",
    texts: ["tokens", "budgets", "limits"],
  }),
});

const tokenForm = {
  access: "user",
  load: () => import("../features/tokens/token-form-page.tsx"),
  queries: "tokenForm",
  texts: ["tokens", "budgets", "limits", "refusals"],
} as const;

const addToken = createRoute({ getParentRoute: root, path: "/token/add", ...pageOptions(tokenForm) });

const editToken = createRoute({
  getParentRoute: root,
  path: "/token/edit/$id",
  params: rowIdParams,
  ...pageOptions(tokenForm),
});

const dashboard = createRoute({
  getParentRoute: root,
  // The page reads its address itself: what it may say is no part of the first load.
  path: "/dashboard",
  ...pageOptions({
    access: "user",
    load: () => import("../features/dashboard/dashboard-page.tsx"),
    queries: "dashboard",
    texts: ["dashboard", "channel-reasons"],
  }),
});

const logs = createRoute({
  getParentRoute: root,
  path: "/log",
  // The page reads its address itself; here are only the types of links to it. The same holds for the playground.
  validateSearch: (search: LogSearch) => search,
  ...pageOptions({
    access: "user",
    load: () => import("../features/logs/log-page.tsx"),
    queries: "logs",
    texts: ["logs", "channel-reasons"],
  }),
});

const playground = createRoute({
  getParentRoute: root,
  path: "/playground",
  validateSearch: (search: PlaygroundSearch) => search,
  ...pageOptions({
    access: "user",
    load: () => import("../features/playground/playground-page.tsx"),
    queries: "chat",
    texts: ["playground"],
  }),
});

const recipes = createRoute({
  getParentRoute: root,
  // The page reads its address itself.
  path: "/recipes",
  ...pageOptions({
    access: "user",
    load: () => import("../features/recipes/recipes-page.tsx"),
    queries: "recipes",
    texts: ["recipes", "playground"],
  }),
});

const editSelf = createRoute({
  getParentRoute: root,
  path: "/user/edit",
  ...pageOptions({
    access: "user",
    load: () => import("../features/profile/edit-self-page.tsx"),
    queries: "profile",
    texts: ["profile", "limits", "refusals"],
  }),
});

const settings = createRoute({
  getParentRoute: root,
  path: "/setting",
  validateSearch: readSettingsSearch,
  ...pageOptions({
    access: "user",
    load: () => import("../features/settings/settings-page.tsx"),
    queries: "settings",
    texts: ["settings", "registration", "security"],
  }),
});

const topUp = createRoute({
  getParentRoute: root,
  path: "/topup",
  ...pageOptions({
    access: "user",
    load: () => import("../features/topup/topup-page.tsx"),
    queries: "topup",
    texts: ["topup"],
  }),
});

export const userRoutes = [
  dashboard,
  tokens,
  addToken,
  editToken,
  logs,
  playground,
  recipes,
  editSelf,
  settings,
  topUp,
] as const;
