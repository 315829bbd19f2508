import { getRouteApi } from "@tanstack/react-router";
import { OAuthCallback } from "./oauth-callback.tsx";

const route = getRouteApi("/oauth/github");

/** The callback of GitHub. */
export default function GitHubCallbackPage() {
  const { code = "", state = "" } = route.useSearch();
  return <OAuthCallback provider="github" code={code} state={state} />;
}
