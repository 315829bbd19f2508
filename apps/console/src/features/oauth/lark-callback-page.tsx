import { getRouteApi } from "@tanstack/react-router";
import { callApi } from "../../lib/api/api-client.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { OAuthCallback } from "./oauth-callback.tsx";

const route = getRouteApi("/oauth/lark");

export default function LarkCallbackPage() {
  const { code = "", state = "" } = route.useSearch();
  const { t } = useTranslation("registration");
  return (
    <OAuthCallback
      name={t("lark")}
      code={code}
      enter={() => callApi("GET /api/oauth/lark", { query: { code, state } })}
    />
  );
}
