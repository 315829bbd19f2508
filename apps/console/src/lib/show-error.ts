import { ApiError } from "./api-error.ts";
import { i18n } from "./i18n.ts";
import { expireSession } from "./session.ts";
import { toastError, toastInfo } from "./toasts.ts";

function showHttpError(error: ApiError): void {
  switch (error.status) {
    case 401:
      return expireSession();
    case 429:
      return toastError(i18n.t("common:errors.tooManyRequests"));
    case 500:
      return toastError(i18n.t("common:errors.internal"));
    case 405:
      return toastInfo(i18n.t("common:errors.demonstration"));
    default:
      return toastError(i18n.t("common:errors.other", { message: error.message }));
  }
}

/** Shows an error to the user as the error catalogue says, and logs it to the browser's console. */
export function showError(error: unknown): void {
  console.error(error);
  if (error instanceof ApiError && error.kind === "refused") return toastError(error.message);
  if (error instanceof ApiError && error.kind === "http") return showHttpError(error);
  toastError(i18n.t("common:errors.other", { message: error instanceof Error ? error.message : String(error) }));
}
