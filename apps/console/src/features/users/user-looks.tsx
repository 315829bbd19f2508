import { splitList } from "@one-api/contract/texts";
import { ROLE } from "@one-api/contract/accounts/roles";
import { USER_STATUS } from "@one-api/contract/accounts/user-constants";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { StatusBadge, type StatusTone } from "../../components/status-badge.tsx";
import classes from "./user-columns.module.css";

const statusLooks = new Map<number, { readonly name: "activated" | "banned"; readonly tone: StatusTone }>([
  [USER_STATUS.enabled, { name: "activated", tone: "good" }],
  [USER_STATUS.disabled, { name: "banned", tone: "danger" }],
]);

/** The state of a user; others than the two are unknown. */
export function UserStatus({ status }: { status: number }) {
  const { t } = useTranslation("users");
  const { name, tone } = statusLooks.get(status) ?? { name: "unknown" as const, tone: "neutral" as const };
  return <StatusBadge tone={tone}>{t(`status.${name}`)}</StatusBadge>;
}

/** Roles by number, as the texts know them. */
export const ROLE_NAMES = [
  [ROLE.user, "regular"],
  [ROLE.admin, "administrator"],
  [ROLE.root, "root"],
] as const;

/** The role of a user; others than the three are an unknown identity. */
export function UserRole({ role }: { role: number }) {
  const { t } = useTranslation("users");
  const name = ROLE_NAMES.find(([number]) => number === role)?.[1] ?? "unknown";
  return <span data-role={name}>{t(`role.${name}`)}</span>;
}

const groupColours = new Map([
  ["vip", "yellow"],
  ["pro", "yellow"],
  ["svip", "red"],
  ["premium", "red"],
]);

/** Groups of users. Their marks differ from those of states, which warn. */
export function UserGroups({ group }: { group: string }) {
  const names = splitList(group);
  return (
    <span className={classes.groups}>
      {(names.length === 0 ? ["default"] : names).map((name) => (
        <span key={name} className={classes.group} data-colour={groupColours.get(name)}>
          {name}
        </span>
      ))}
    </span>
  );
}
