import { getRouteApi } from "@tanstack/react-router";
import { OAuthCallback } from "./oauth-callback.tsx";

const route = getRouteApi("/oauth/lark");

/** The callback of Lark. */
export default function LarkCallbackPage() {
  const { code = "", state = "" } = route.useSearch();
  return <OAuthCallback provider="lark" code={code} state={state} />;
}
