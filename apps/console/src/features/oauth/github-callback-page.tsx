import { getRouteApi } from "@tanstack/react-router";
import { callApi } from "../../lib/api/api-client.ts";
import { OAuthCallback } from "./oauth-callback.tsx";

const route = getRouteApi("/oauth/github");

export default function GitHubCallbackPage() {
  const { code = "", state = "" } = route.useSearch();
  return (
    <OAuthCallback
      name="GitHub"
      code={code}
      enter={() => callApi("GET /api/oauth/github", { query: { code, state } })}
    />
  );
}
