import { createRoute } from "@tanstack/react-router";
import { loginSearchSchema } from "../features/login/login-search.ts";
import { pageOptions } from "./page-options.tsx";
import { rootRoute } from "./root-route.ts";

const root = () => rootRoute;

const home = createRoute({
  getParentRoute: root,
  path: "/",
  ...pageOptions({ access: "open", load: () => import("../features/home/home-page.tsx"), texts: ["home"] }),
});

const login = createRoute({
  getParentRoute: root,
  path: "/login",
  validateSearch: loginSearchSchema,
  ...pageOptions({ access: "open", load: () => import("../features/login/login-page.tsx"), texts: ["login"] }),
});

const about = createRoute({
  getParentRoute: root,
  path: "/about",
  ...pageOptions({ access: "open", load: () => import("../features/about/about-page.tsx"), texts: ["about"] }),
});

/** Pages for everybody. */
export const openRoutes = [home, login, about] as const;
