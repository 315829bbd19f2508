import { TOAST_DURATION_MS } from "@one-api/contract/constants";
import { notifications, type NotificationData } from "@mantine/notifications";

/** Kinds of toasts; each has its own duration. */
export type ToastKind = keyof typeof TOAST_DURATION_MS;

const look: Record<ToastKind, Partial<NotificationData>> = {
  success: { color: "green", role: "status" },
  info: { color: "blue", role: "status" },
  notice: { color: "blue", role: "status" },
  warning: { color: "yellow", role: "alert" },
  error: { color: "red", role: "alert" },
};

function show(kind: ToastKind, message: string, autoClose: number | false): void {
  // The same text at the same moment is one toast: several calls of a page often fail for one reason.
  notifications.show({ id: `${kind}:${message}`, message, autoClose, ...look[kind], "data-kind": kind });
}

/** Shows that something worked, for 1.5 s. */
export const toastSuccess = (message: string) => show("success", message, TOAST_DURATION_MS.success);

/** Shows something to know, for 3 s. */
export const toastInfo = (message: string) => show("info", message, TOAST_DURATION_MS.info);

/** Shows what failed, for 5 s. To show an error object use showError. */
export const toastError = (message: string) => show("error", message, TOAST_DURATION_MS.error);

/** Shows what needs care, for 10 s. */
export const toastWarning = (message: string) => show("warning", message, TOAST_DURATION_MS.warning);

/**
 * Shows a notice, for 20 s.
 * @public
 */
export const toastNotice = (message: string) => show("notice", message, TOAST_DURATION_MS.notice);

/**
 * Shows an announcement that stays until it is closed.
 * @public
 */
export const toastAnnouncement = (message: string) => show("notice", message, false);
