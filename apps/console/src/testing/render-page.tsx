import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from "@tanstack/react-router";
import { render } from "@testing-library/react";
import type { ReactNode } from "react";
import { ConfirmProvider } from "../components/dialogs/confirm.tsx";
import { loadTexts } from "../lib/i18n/i18n.ts";
import type { Namespace } from "../lib/i18n/text-keys.ts";
import { parsePlainSearch, stringifyPlainSearch } from "../lib/list/plain-search.ts";
import { createQueryClient } from "../lib/api/query-client.ts";
import { createConsoleTheme } from "../theme.ts";

interface RenderOptions {
  /** Address that the page is opened at. */
  address?: string;
  /** Pattern of the page's route; the address without its query unless given. */
  path?: string;
  /** Namespaces of texts that the page uses. */
  texts?: readonly Namespace[];
}

/** Renders a page as the console does, at an address, with its own server state; other addresses show an empty page. */
export async function renderPage(page: ReactNode, { address = "/", path, texts = [] }: RenderOptions = {}) {
  await loadTexts(texts);
  const root = createRootRoute();
  const pattern = path ?? address.split("?")[0] ?? "/";
  const route = createRoute({ getParentRoute: () => root, path: pattern, component: () => page });
  const router = createRouter({
    routeTree: root.addChildren([route]),
    history: createMemoryHistory({ initialEntries: [address] }),
    parseSearch: parsePlainSearch,
    stringifySearch: stringifyPlainSearch,
    defaultNotFoundComponent: () => null,
  });
  await router.load();
  const client = createQueryClient();
  const view = render(
    <MantineProvider theme={createConsoleTheme("default")} env="test">
      <QueryClientProvider client={client}>
        <ConfirmProvider>
          <RouterProvider<typeof router> router={router} />
        </ConfirmProvider>
        <Notifications />
      </QueryClientProvider>
    </MantineProvider>,
  );
  return { ...view, router, client };
}
