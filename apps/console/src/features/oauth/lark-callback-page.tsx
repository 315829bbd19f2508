import { enterWithLark } from "@one-api/contract/oauth";
import { getRouteApi } from "@tanstack/react-router";
import { callApi } from "../../lib/api/api-client.ts";
import { OAuthCallback } from "./oauth-callback.tsx";

const route = getRouteApi("/oauth/lark");

/** The callback of Lark. */
export default function LarkCallbackPage() {
  const { code = "", state = "" } = route.useSearch();
  return <OAuthCallback name="Lark" code={code} enter={() => callApi(enterWithLark, { query: { code, state } })} />;
}
