import { useRouter, useRouterState } from "@tanstack/react-router";
import type { SessionUser } from "@one-api/contract/user";
import { useTranslation } from "react-i18next";
import { internalPath } from "../../lib/internal-path.ts";
import { toastSuccess, toastWarning } from "../../lib/toasts.ts";
import { rememberDefaultPassword, usesDefaultPassword } from "./uses-default-password.ts";

/** Returns what leads a fresh login on: to the page that it was needed for, else to the tokens; root with the default password to a new one. */
export function useEnterConsole(from: string | undefined): (user: SessionUser, password: string) => void {
  const { t } = useTranslation("login");
  const router = useRouter();
  const lostOrigin = useRouterState({ select: (state) => state.location.state.origin });
  return (user, password) => {
    toastSuccess(t("success"));
    const isDefault = usesDefaultPassword(user, password);
    rememberDefaultPassword(isDefault);
    if (isDefault) {
      toastWarning(t("defaultPassword"));
      router.history.push("/user/edit");
    } else {
      router.history.push(internalPath(from) ?? internalPath(lostOrigin) ?? "/token");
    }
  };
}
