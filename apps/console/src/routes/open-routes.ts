import { createRoute } from "@tanstack/react-router";
import * as loginPage from "../features/login/login-page.tsx";
import type { PricingSearch } from "../features/pricing/pricing-search.ts";
import type { RawSearch } from "../lib/list/list-search.ts";
import { textOf } from "../lib/values/read-values.ts";
import { pageOptions } from "./page-options.tsx";
import { PAGES } from "./pages.ts";
import { rootRoute } from "./root-route.ts";

/** `from`: where to go after the login. `expired`: the session ended, the page says so. */
interface LoginSearch {
  readonly from?: string | undefined;
  readonly expired?: boolean | undefined;
}

function readLoginSearch({ from, expired }: RawSearch): LoginSearch {
  return { from: textOf(from), expired: expired === true || expired === "true" ? true : undefined };
}

/** `aff`: somebody's invite code. `invitation`: the code of an administrator's invitation. */
interface RegisterSearch {
  readonly aff?: string | undefined;
  readonly invitation?: string | undefined;
}

function readRegisterSearch({ aff, invitation }: RawSearch): RegisterSearch {
  return { aff: textOf(aff, { most: 64 }), invitation: textOf(invitation, { most: 64 }) };
}

const root = () => rootRoute;

const home = createRoute({
  getParentRoute: root,
  path: "/",
  ...pageOptions(PAGES["/"]),
});

const login = createRoute({
  getParentRoute: root,
  path: "/login",
  validateSearch: readLoginSearch,
  ...pageOptions({ access: "visitor", load: () => Promise.resolve(loginPage) }),
});

const register = createRoute({
  getParentRoute: root,
  path: "/register",
  validateSearch: readRegisterSearch,
  ...pageOptions(PAGES["/register"]),
});

const reset = createRoute({
  getParentRoute: root,
  path: "/reset",
  ...pageOptions(PAGES["/reset"]),
});

const confirmReset = createRoute({
  getParentRoute: root,
  path: "/user/reset",
  validateSearch: ({ email, token }: RawSearch) => ({ email: textOf(email), token: textOf(token) }),
  ...pageOptions(PAGES["/user/reset"]),
});

/** Parameters of a provider's redirect. */
const validateSearch = ({ code, state, iss }: RawSearch) => ({
  code: textOf(code),
  state: textOf(state),
  iss: textOf(iss),
});

const gitHubCallback = createRoute({
  getParentRoute: root,
  path: "/oauth/github",
  validateSearch,
  ...pageOptions(PAGES["/oauth/github"]),
});

const larkCallback = createRoute({
  getParentRoute: root,
  path: "/oauth/lark",
  validateSearch,
  ...pageOptions(PAGES["/oauth/lark"]),
});

const oidcCallback = createRoute({
  getParentRoute: root,
  path: "/oauth/oidc",
  validateSearch,
  ...pageOptions(PAGES["/oauth/oidc"]),
});

const about = createRoute({
  getParentRoute: root,
  path: "/about",
  ...pageOptions(PAGES["/about"]),
});

const chat = createRoute({
  getParentRoute: root,
  path: "/chat",
  ...pageOptions(PAGES["/chat"]),
});

const pricing = createRoute({
  getParentRoute: root,
  path: "/pricing",
  // The page reads its address itself; here are only the types of links to it.
  validateSearch: (search: PricingSearch) => search,
  ...pageOptions(PAGES["/pricing"]),
});

const status = createRoute({
  getParentRoute: root,
  path: "/status",
  ...pageOptions(PAGES["/status"]),
});

export const openRoutes = [
  home,
  login,
  register,
  reset,
  confirmReset,
  gitHubCallback,
  larkCallback,
  oidcCallback,
  about,
  chat,
  pricing,
  status,
] as const;
