import { ApiError } from "./api-error.ts";
import { errorText, loadErrorTexts } from "./error-text.ts";
import { pendingTexts, t } from "../i18n/i18n.ts";
import { expireSession } from "../state/session.ts";
import { toastError, toastInfo } from "../toasts/toasts.ts";

function toastHttpError(error: ApiError): void {
  switch (error.status) {
    case 429:
      return toastError(t("common:errors.tooManyRequests"));
    case 500:
      return toastError(t("common:errors.internal"));
    case 405:
      return toastInfo(t("common:errors.demonstration"));
    default:
      return toastError(t("common:errors.other", { message: errorText(error) }));
  }
}

function toast(error: unknown): void {
  if (error instanceof ApiError && error.kind === "refused") return toastError(errorText(error));
  if (error instanceof ApiError && error.kind === "http") return toastHttpError(error);
  toastError(t("common:errors.other", { message: errorText(error) }));
}

/** Without its texts a refusal is shown in the server's words. */
async function toastOnceLoaded(error: unknown): Promise<void> {
  try {
    await loadErrorTexts();
  } finally {
    toast(error);
  }
}

/** Shows an error to the user as the error catalogue says, in the reader's language, and logs it to the browser's console. */
export function showError(error: unknown): void {
  console.error(error);
  if (error instanceof ApiError && error.kind === "http" && error.status === 401) return expireSession();
  if (pendingTexts(["refusals"]) === undefined) return toast(error);
  void toastOnceLoaded(error);
}
