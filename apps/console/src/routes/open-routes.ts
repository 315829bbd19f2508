import { createRoute } from "@tanstack/react-router";
import { z } from "zod";
import * as loginPage from "../features/login/login-page.tsx";
import { pageOptions } from "./page-options.tsx";
import { rootRoute } from "./root-route.ts";

/** `from`: where to go after the login. `expired`: the session ended, the page says so. */
const loginSearchSchema = z.object({
  from: z.string().optional().catch(undefined),
  expired: z
    .union([z.boolean(), z.literal("true").transform(() => true)])
    .optional()
    .catch(undefined),
});

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
  ...pageOptions({ access: "open", load: () => Promise.resolve(loginPage) }),
});

const about = createRoute({
  getParentRoute: root,
  path: "/about",
  ...pageOptions({ access: "open", load: () => import("../features/about/about-page.tsx"), texts: ["about"] }),
});

/** Pages for everybody. */
export const openRoutes = [home, login, about] as const;
