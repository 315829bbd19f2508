import { createRoute } from "@tanstack/react-router";
import { pageOptions } from "./page-options.tsx";
import { rootRoute } from "./root-route.ts";

const root = () => rootRoute;
const load = () => import("../features/unavailable/unavailable-page.tsx");
const open = { access: "open", load, isUnbuilt: true } as const;

/** Pages of this console that this version does not have yet; their addresses say so. */
export const unavailableRoutes = [createRoute({ getParentRoute: root, path: "/chat", ...pageOptions(open) })] as const;
