import { type NotificationData, notifications, notificationsStore } from "@mantine/notifications";
import { TOAST_DURATION_MS } from "@one-api/contract/constants";
import { createElement, type ReactNode } from "react";
import { t } from "../i18n/i18n.ts";
import classes from "./toasts.module.css";

export type ToastKind = keyof typeof TOAST_DURATION_MS;

export interface ToastAction {
  /** A verb, for example "Undo". */
  readonly label: string;
  onSelect(): void;
}

const look: Record<ToastKind, Partial<NotificationData>> = {
  success: { color: "success", role: "status" },
  info: { color: "info", role: "status" },
  notice: { color: "info", role: "status" },
  warning: { color: "warning", role: "alert" },
  error: { color: "danger", role: "alert" },
};

/** Long enough to read what happened and to take it back. */
const WITH_ACTION_MS = 10_000;

function contentOf(id: string, message: string, action: ToastAction | undefined): ReactNode {
  if (action === undefined) return message;
  const onClick = () => {
    notifications.hide(id);
    action.onSelect();
  };
  const button = createElement("button", { type: "button", className: classes.action, onClick }, action.label);
  return createElement("span", { className: classes.content }, createElement("span", null, message), button);
}

function show(kind: ToastKind, message: string, autoClose: number | false, action?: ToastAction): void {
  // The same text is one toast: several calls of a page often fail for one reason, and a repeat starts its time anew.
  const id = `${kind}:${message}`;
  const closeButtonProps = { "aria-label": t("common:close") };
  const toast = { id, message: contentOf(id, message, action), ...look[kind], closeButtonProps, "data-kind": kind };
  const { notifications: visible, queue } = notificationsStore.getState();
  const shown = [...visible, ...queue].find((other) => other.id === id);
  if (shown === undefined) return void notifications.show({ ...toast, autoClose });
  // A toast's clock starts again when its duration changes: by one millisecond, and back with the next repeat.
  const renewed = autoClose !== false && shown.autoClose === autoClose ? autoClose + 1 : autoClose;
  notifications.update({ ...toast, autoClose: renewed });
}

/** Shows that something worked, for 1.5 s; with something to do next, for 10 s. */
export const toastSuccess = (message: string, action?: ToastAction) =>
  show("success", message, action === undefined ? TOAST_DURATION_MS.success : WITH_ACTION_MS, action);

/** Shows something to know, for 3 s. */
export const toastInfo = (message: string) => show("info", message, TOAST_DURATION_MS.info);

/** Shows what failed, for 5 s. To show an error object use showError. */
export const toastError = (message: string) => show("error", message, TOAST_DURATION_MS.error);

/** Removes toasts that no longer hold, such as "the password is wrong" after a login. */
export function dropToasts(kind: ToastKind): void {
  for (const { id } of notificationsStore.getState().notifications)
    if (id?.startsWith(`${kind}:`)) notifications.hide(id);
}

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
