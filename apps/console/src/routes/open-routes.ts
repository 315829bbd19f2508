import { createRoute } from "@tanstack/react-router";
import * as loginPage from "../features/login/login-page.tsx";
import type { RawSearch } from "../lib/list/list-search.ts";
import { textOf } from "../lib/read-values.ts";
import { pageOptions } from "./page-options.tsx";
import { rootRoute } from "./root-route.ts";

/** `from`: where to go after the login. `expired`: the session ended, the page says so. */
interface LoginSearch {
  readonly from?: string | undefined;
  readonly expired?: boolean | undefined;
}

function readLoginSearch({ from, expired }: RawSearch): LoginSearch {
  return { from: textOf(from), expired: expired === true || expired === "true" ? true : undefined };
}

const root = () => rootRoute;

const home = createRoute({
  getParentRoute: root,
  path: "/",
  ...pageOptions({ access: "open", load: () => import("../features/home/home-page.tsx"), texts: ["home"] }),
});

const login = createRoute({
  getParentRoute: root,
  path: "/login",
  validateSearch: readLoginSearch,
  ...pageOptions({ access: "open", load: () => Promise.resolve(loginPage) }),
});

const about = createRoute({
  getParentRoute: root,
  path: "/about",
  ...pageOptions({ access: "open", load: () => import("../features/about/about-page.tsx"), texts: ["about"] }),
});

/** Pages for everybody. */
export const openRoutes = [home, login, about] as const;
