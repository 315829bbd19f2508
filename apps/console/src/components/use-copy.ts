import { useTranslation } from "react-i18next";
import { copyText } from "../lib/copy-text.ts";
import { toastSuccess, toastWarning } from "../lib/toasts.ts";

/** Returns what copies a text and says so; false when the browser refused and the user was asked to copy by hand. */
export function useCopy(): (text: string, message?: string) => Promise<boolean> {
  const { t } = useTranslation();
  return async (text, message) => {
    const copied = await copyText(text);
    if (copied) toastSuccess(message ?? t("copied"));
    else toastWarning(t("copyFailed"));
    return copied;
  };
}
