import { createRoute } from "@tanstack/react-router";
import type { LogSearch } from "../features/logs/log-search.ts";
import type { PlaygroundSearch } from "../features/playground/playground-search.ts";
import { readSettingsSearch } from "../features/settings/navigation/settings-search.ts";
import { readTokenListSearch } from "../features/tokens/token-list-search.ts";
import { pageOptions, rowIdParams } from "./page-options.tsx";
import { PAGES } from "./pages.ts";
import { rootRoute } from "./root-route.ts";

const root = () => rootRoute;

const tokens = createRoute({
  getParentRoute: root,
  path: "/token",
  validateSearch: readTokenListSearch,
  ...pageOptions(PAGES["/token"]),
});

const addToken = createRoute({ getParentRoute: root, path: "/token/add", ...pageOptions(PAGES["/token/add"]) });

const editToken = createRoute({
  getParentRoute: root,
  path: "/token/edit/$id",
  params: rowIdParams,
  ...pageOptions(PAGES["/token/edit/$id"]),
});

const dashboard = createRoute({
  getParentRoute: root,
  // The page reads its address itself: what it may say is no part of the first load.
  path: "/dashboard",
  ...pageOptions(PAGES["/dashboard"]),
});

const logs = createRoute({
  getParentRoute: root,
  path: "/log",
  // The page reads its address itself; here are only the types of links to it. The same holds for the playground.
  validateSearch: (search: LogSearch) => search,
  ...pageOptions(PAGES["/log"]),
});

const playground = createRoute({
  getParentRoute: root,
  path: "/playground",
  validateSearch: (search: PlaygroundSearch) => search,
  ...pageOptions(PAGES["/playground"]),
});

const recipes = createRoute({
  getParentRoute: root,
  // The page reads its address itself.
  path: "/recipes",
  ...pageOptions(PAGES["/recipes"]),
});

const editSelf = createRoute({
  getParentRoute: root,
  path: "/user/edit",
  ...pageOptions(PAGES["/user/edit"]),
});

const settings = createRoute({
  getParentRoute: root,
  path: "/setting",
  validateSearch: readSettingsSearch,
  ...pageOptions(PAGES["/setting"]),
});

const topUp = createRoute({
  getParentRoute: root,
  path: "/topup",
  ...pageOptions(PAGES["/topup"]),
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
