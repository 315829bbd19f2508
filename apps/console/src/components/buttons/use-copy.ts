import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { toastSuccess, toastWarning } from "../../lib/toasts/toasts.ts";

/** Copies the text; returns false when the browser refuses both ways of doing so. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** Pages served over plain http have no clipboard object; the old command still works there. */
function copyBySelection(text: string): boolean {
  const area = document.createElement("textarea");
  area.value = text;
  area.setAttribute("readonly", "");
  area.className = "visually-hidden";
  // Inside an open dialog the focus must stay within it, or the selection is taken away again.
  (document.querySelector('[role="dialog"]') ?? document.body).append(area);
  area.select();
  try {
    return document.execCommand("copy");
  } catch {
    return false;
  } finally {
    area.remove();
  }
}

/**
 * Returns a function that copies a text and confirms it; false if the browser refused and the user was asked to copy by
 * hand.
 */
export function useCopy(): (text: string, message?: string, refusal?: string) => Promise<boolean> {
  const { t } = useTranslation();
  return async (text, message, refusal) => {
    const copied = await copyText(text);
    if (copied) toastSuccess(message ?? t("copied"));
    else toastWarning(refusal ?? t("copyFailed"));
    return copied;
  };
}
