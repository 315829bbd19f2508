import { createRootRoute } from "@tanstack/react-router";
import { PageError } from "../components/page-error.tsx";
import { NotFoundPage } from "../features/not-found/not-found-page.tsx";
import { Shell } from "../features/shell/shell.tsx";

export const rootRoute = createRootRoute({
  component: Shell,
  notFoundComponent: NotFoundPage,
  errorComponent: PageError,
});
