import { getRouteApi } from "@tanstack/react-router";
import { callApi } from "../../lib/api/api-client.ts";
import { useStoredStatus } from "../../lib/state/stored-status.ts";
import { OAuthCallback } from "./oauth-callback.tsx";

const route = getRouteApi("/oauth/oidc");

export default function OidcCallbackPage() {
  const { code = "", state = "", iss = "" } = route.useSearch();
  const { oidc_label: name } = useStoredStatus();
  return (
    <OAuthCallback
      name={name}
      code={code}
      enter={() => callApi("GET /api/oauth/oidc", { query: { code, state, iss } })}
    />
  );
}
