import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { useNotifications } from "@mantine/notifications";
import { useMemo } from "react";
import { ConfirmProvider } from "./components/dialogs/confirm.tsx";
import { createColorSchemeManager } from "./lib/state/color-scheme-manager.ts";
import { laterPart, lazyPart } from "./lib/loading/later-part.ts";
import { queryClient } from "./lib/api/query-client.ts";
import { styleNonce } from "./lib/browser/style-nonce.ts";
import { useStoredTheme } from "./lib/state/stored-status.ts";
import { useIsIdle } from "./lib/loading/when-idle.ts";
import { themeNameOf } from "./named-themes.ts";
import { router } from "./router.tsx";
import { consoleVariables, createConsoleTheme } from "./theme.ts";

const ToastHost = lazyPart(() => import("./components/toast-host.tsx"));

const TooltipHost = laterPart(() => import("./components/floating/tooltip-host.tsx"));

function ToastPlace() {
  const { notifications, queue } = useNotifications();
  const isNeeded = useIsIdle() || notifications.length + queue.length > 0;
  return isNeeded && <ToastHost />;
}

const colorSchemeManager = createColorSchemeManager();

export function AppProviders() {
  const themeName = themeNameOf(useStoredTheme());
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
        <ToastPlace />
        <TooltipHost timesWanted={0} instead={null} props={{}} />
      </QueryClientProvider>
    </MantineProvider>
  );
}
