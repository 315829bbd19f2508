import { createRoute } from "@tanstack/react-router";
import { readChannelListSearch } from "../features/channels/channel-list-search.ts";
import { readMatrixSearch } from "../features/channels/matrix/matrix-search.ts";
import { pageOptions, rowIdParams } from "./page-options.tsx";
import { PAGES } from "./pages.ts";
import { rootRoute } from "./root-route.ts";

const root = () => rootRoute;

const channels = createRoute({
  getParentRoute: root,
  path: "/channel",
  validateSearch: readChannelListSearch,
  ...pageOptions(PAGES["/channel"]),
});

const channel = createRoute({
  getParentRoute: root,
  path: "/channel/$id",
  params: rowIdParams,
  ...pageOptions(PAGES["/channel/$id"]),
});

const channelMatrix = createRoute({
  getParentRoute: root,
  path: "/channel/matrix",
  validateSearch: readMatrixSearch,
  ...pageOptions(PAGES["/channel/matrix"]),
});

const addChannel = createRoute({ getParentRoute: root, path: "/channel/add", ...pageOptions(PAGES["/channel/add"]) });

const editChannel = createRoute({
  getParentRoute: root,
  path: "/channel/edit/$id",
  params: rowIdParams,
  ...pageOptions(PAGES["/channel/edit/$id"]),
});

export const channelRoutes = [channels, channelMatrix, addChannel, editChannel, channel] as const;
