import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { lazy, Suspense, useMemo } from "react";
import { ConfirmProvider } from "./components/dialogs/confirm.tsx";
import { createColorSchemeManager } from "./lib/state/color-scheme-manager.ts";
import { queryClient } from "./lib/api/query-client.ts";
import { styleNonce } from "./lib/style-nonce.ts";
import { useStoredStatus } from "./lib/state/stored-status.ts";
import { themeNameOf } from "./named-themes.ts";
import { router } from "./router.tsx";
import { consoleVariables, createConsoleTheme } from "./theme.ts";

// Nothing is toasted before the first paint.
const ToastHost = lazy(() => import("./components/toast-host.tsx"));

const colorSchemeManager = createColorSchemeManager();

/** Everything around the pages: theme, toasts, server state, questions, routes. */
export function AppProviders() {
  const themeName = themeNameOf(useStoredStatus().theme);
  const theme = useMemo(() => createConsoleTheme(themeName), [themeName]);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={consoleVariables}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
      getStyleNonce={styleNonce}
    >
      <QueryClientProvider client={queryClient}>
        <ConfirmProvider>
          <RouterProvider router={router} />
        </ConfirmProvider>
        <Suspense fallback={null}>
          <ToastHost />
        </Suspense>
      </QueryClientProvider>
    </MantineProvider>
  );
}
