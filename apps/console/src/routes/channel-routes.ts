import { createRoute } from "@tanstack/react-router";
import { readChannelListSearch } from "../features/channels/channel-list-search.ts";
import { readMatrixSearch } from "../features/channels/matrix/matrix-search.ts";
import { pageOptions } from "./page-options.tsx";
import { rootRoute } from "./root-route.ts";
import { rowIdParams } from "./page-options.tsx";

const root = () => rootRoute;

const channels = createRoute({
  getParentRoute: root,
  path: "/channel",
  validateSearch: readChannelListSearch,
  ...pageOptions({
    access: "admin",
    load: () => import("../features/channels/channel-list-page.tsx"),
    queries: "channels",
    texts: ["channels"],
  }),
});

const channel = createRoute({
  getParentRoute: root,
  path: "/channel/$id",
  params: rowIdParams,
  ...pageOptions({
    access: "admin",
    load: () => import("../features/channel-page/channel-page.tsx"),
    queries: "channel",
    texts: ["channel-page", "channel-reasons", "channels", "logs"],
  }),
});

const channelMatrix = createRoute({
  getParentRoute: root,
  path: "/channel/matrix",
  validateSearch: readMatrixSearch,
  ...pageOptions({
    access: "admin",
    load: () => import("../features/channels/matrix/matrix-page.tsx"),
    queries: "channelMatrix",
    texts: ["channel-matrix", "channel-shares", "channel-effect", "channel-bulk"],
  }),
});

const channelForm = {
  access: "admin",
  load: () => import("../features/channels/channel-form-page.tsx"),
  queries: "channelForm",
  texts: ["channel-form", "channel-shares", "channels", "refusals"],
} as const;

const addChannel = createRoute({ getParentRoute: root, path: "/channel/add", ...pageOptions(channelForm) });

const editChannel = createRoute({
  getParentRoute: root,
  path: "/channel/edit/$id",
  params: rowIdParams,
  ...pageOptions(channelForm),
});

export const channelRoutes = [channels, channelMatrix, addChannel, editChannel, channel] as const;
