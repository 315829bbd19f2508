import { isRoot, ROLE } from "@one-api/contract/accounts/roles";
import type { SessionUser } from "@one-api/contract/accounts/user";
import { USER_STATUS } from "@one-api/contract/accounts/user-constants";
import type { ManagedUser, UserAction } from "@one-api/contract/accounts/user-management";
import {
  IconUserDown,
  IconUserUp,
  IconChartBar,
  IconCircleCheck,
  IconCircleOff,
  IconListDetails,
  IconPencil,
  IconShieldOff,
  IconTrash,
  IconUser,
} from "@tabler/icons-react";
import type { RowAction } from "../../components/data-table/rows/row-action.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { DeletionEffect } from "../deletion/lazy-deletion-effect.ts";
import { stringifyPlainSearch } from "../../lib/list/plain-search.ts";
import { useCurrentUser } from "../../lib/state/session.ts";
import { toastSuccess } from "../../lib/toasts/toasts.ts";
import { useManageUser, useResetFactors } from "./user-mutations.ts";

/** True if the viewer may act on the user: only on lower roles. For display only. */
export function mayManage(viewer: SessionUser | undefined, user: Pick<ManagedUser, "role">): boolean {
  return viewer !== undefined && user.role < viewer.role && !isRoot(user.role);
}

/** True if the viewer may see and edit the user: root also itself. For display only. */
function mayEdit(viewer: SessionUser | undefined, user: Pick<ManagedUser, "id" | "role">): boolean {
  return mayManage(viewer, user) || (viewer?.id === user.id && isRoot(viewer.role));
}

const OWN_PROFILE = "/user/edit";

/** The page that edits the user, which is the own profile for oneself; undefined where the viewer may not. */
function editPathOf(viewer: SessionUser | undefined, user: Pick<ManagedUser, "id" | "role">): string | undefined {
  if (mayEdit(viewer, user)) return `/user/edit/${user.id}`;
  return viewer?.id === user.id ? OWN_PROFILE : undefined;
}

/** The page about the user, which is the own profile for oneself; undefined where the viewer may not see it. */
export function pagePathOf(viewer: SessionUser | undefined, user: Pick<ManagedUser, "id" | "role">) {
  if (mayEdit(viewer, user)) return `/user/${user.id}`;
  return viewer?.id === user.id ? OWN_PROFILE : undefined;
}

/** Runs an action and reports it, with an undo where possible. */
function useManage(onDeleted?: () => void) {
  const { t } = useTranslation("users", "common");
  const manage = useManageUser();
  return (user: ManagedUser, action: UserAction, way?: { readonly back: UserAction }) => {
    const done = t(`done.${action}`, { completed: t("common:operationCompleted"), name: user.username });
    const undo = () => {
      if (way !== undefined) manage.mutate({ user, action: way.back });
    };
    const offer = way === undefined ? [] : [{ label: t("undo"), onSelect: undo }];
    const onSuccess = () => {
      toastSuccess(done, ...offer);
      if (action === "delete") onDeleted?.();
    };
    manage.mutate({ user, action }, { onSuccess });
  };
}

function useRoleActions() {
  const { t } = useTranslation("users");
  const manage = useManage();
  const viewer = useCurrentUser();
  return (user: ManagedUser): RowAction[] => {
    const isFixed = !mayManage(viewer, user);
    const name = user.username;
    return [
      {
        id: "promote",
        label: t("promote.action"),
        icon: <IconUserUp size={16} />,
        placement: "menu",
        disabled: isFixed || !isRoot(viewer?.role) || user.role >= ROLE.admin,
        confirm: {
          title: t("promote.title", { name }),
          message: t("promote.message"),
          confirmLabel: t("promote.action"),
        },
        onSelect: () => manage(user, "promote", { back: "demote" }),
      },
      {
        id: "demote",
        label: t("demote.action"),
        icon: <IconUserDown size={16} />,
        placement: "menu",
        disabled: isFixed || user.role <= ROLE.user,
        onSelect: () => manage(user, "demote", { back: "promote" }),
      },
    ];
  };
}

function useToggleAction() {
  const { t } = useTranslation("common");
  const manage = useManage();
  const viewer = useCurrentUser();
  return (user: ManagedUser): RowAction => {
    const disables = user.status === USER_STATUS.enabled;
    const [action, back] = disables ? (["disable", "enable"] as const) : (["enable", "disable"] as const);
    return {
      id: "toggle",
      label: t(action),
      icon: disables ? <IconCircleOff size={16} /> : <IconCircleCheck size={16} />,
      disabled: !mayManage(viewer, user),
      onSelect: () => manage(user, action, { back }),
    };
  };
}

function useDeleteAction(onDeleted?: () => void) {
  const { t } = useTranslation("users", "common");
  const manage = useManage(onDeleted);
  const viewer = useCurrentUser();
  return (user: ManagedUser): RowAction => ({
    id: "delete",
    label: t("common:delete"),
    icon: <IconTrash size={16} />,
    tone: "danger",
    placement: "menu",
    disabled: !mayManage(viewer, user),
    confirm: {
      title: t("delete.title", { name: user.username }),
      message: t("delete.message"),
      details: <DeletionEffect of={{ user: user.id }} usedAt={user.last_active_at} lost={user.quota} />,
      confirmLabel: t("common:delete"),
      tone: "danger",
    },
    onSelect: () => manage(user, "delete"),
  });
}

/** For users without phone and recovery codes. */
function useResetFactorsAction() {
  const { t } = useTranslation("users");
  const reset = useResetFactors();
  const viewer = useCurrentUser();
  return (user: ManagedUser): RowAction => ({
    id: "reset-factors",
    label: t("resetFactors.action"),
    icon: <IconShieldOff size={16} />,
    placement: "menu",
    disabled: !user.has_second_factor || !mayManage(viewer, user),
    confirm: {
      title: t("resetFactors.title", { name: user.username }),
      message: t("resetFactors.message"),
      confirmLabel: t("resetFactors.action"),
      tone: "danger",
    },
    onSelect: () =>
      reset.mutate(user, { onSuccess: () => toastSuccess(t("resetFactors.done", { name: user.username })) }),
  });
}

/** Returns the actions on a user; `onDeleted` runs after a deletion. */
export function useUserActions(onDeleted?: () => void): (user: ManagedUser) => RowAction[] {
  const { t } = useTranslation("users", "common");
  const viewer = useCurrentUser();
  const toggleAction = useToggleAction();
  const roleActions = useRoleActions();
  const resetFactorsAction = useResetFactorsAction();
  const deleteAction = useDeleteAction(onDeleted);
  return (user) => {
    const editPath = editPathOf(viewer, user);
    const pagePath = pagePathOf(viewer, user);
    return [
      {
        id: "edit",
        label: t("common:edit"),
        icon: <IconPencil size={16} />,
        path: editPath,
        isLink: true,
        disabled: editPath === undefined,
      },
      toggleAction(user),
      {
        id: "details",
        label: t("details"),
        icon: <IconUser size={16} />,
        placement: "menu",
        path: pagePath,
        disabled: pagePath === undefined || pagePath === OWN_PROFILE,
      },
      {
        id: "logs",
        label: t("logs"),
        icon: <IconListDetails size={16} />,
        placement: "menu",
        path: `/log${stringifyPlainSearch({ username: user.username })}`,
      },
      {
        id: "usage",
        label: t("usage"),
        icon: <IconChartBar size={16} />,
        placement: "menu",
        path: `/dashboard${stringifyPlainSearch({ user: String(user.id) })}`,
      },
      ...roleActions(user),
      resetFactorsAction(user),
      deleteAction(user),
    ];
  };
}
