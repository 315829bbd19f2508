import { createRoute } from "@tanstack/react-router";
import { pageOptions } from "./page-options.tsx";
import { rootRoute } from "./root-route.ts";
import { rowIdParams } from "./page-options.tsx";

const root = () => rootRoute;
const load = () => import("../features/unavailable/unavailable-page.tsx");
const open = { access: "open", load, isUnbuilt: true } as const;
const user = { access: "user", load, isUnbuilt: true } as const;
const admin = { access: "admin", load, isUnbuilt: true } as const;

/** Pages of this console that this version does not have yet; their addresses say so. */
export const unavailableRoutes = [
  createRoute({ getParentRoute: root, path: "/chat", ...pageOptions(open) }),
  createRoute({ getParentRoute: root, path: "/redemption", ...pageOptions(admin) }),
  createRoute({ getParentRoute: root, path: "/redemption/add", ...pageOptions(admin) }),
  createRoute({ getParentRoute: root, path: "/redemption/edit/$id", params: rowIdParams, ...pageOptions(admin) }),
  createRoute({ getParentRoute: root, path: "/user", ...pageOptions(admin) }),
  createRoute({ getParentRoute: root, path: "/user/add", ...pageOptions(admin) }),
  createRoute({ getParentRoute: root, path: "/user/edit/$id", params: rowIdParams, ...pageOptions(admin) }),
  createRoute({ getParentRoute: root, path: "/topup", ...pageOptions(user) }),
] as const;
