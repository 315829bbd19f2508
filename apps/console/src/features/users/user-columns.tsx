import type { ManagedUser } from "@one-api/contract/accounts/user-management";
import type { UserSpend } from "@one-api/contract/usage/user-spend";
import { TrendCell } from "../../components/charts/trend-cell.tsx";
import type { DataColumn } from "../../components/data-table/data-column.ts";
import { idColumn } from "../../components/data-table/rows/id-column.tsx";
import { BudgetText } from "../../components/budget-text.tsx";
import { QuotaText } from "../../components/quota-text.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { RelativeTime } from "../../components/relative-time.tsx";
import { TimeText } from "../../components/time-text.tsx";
import { formatInteger } from "../../lib/format.ts";
import type { Language } from "../../lib/i18n/languages.ts";
import type { Translate } from "../../lib/i18n/text-keys.ts";
import classes from "./user-columns.module.css";
import { UserGroups, UserRole, UserStatus } from "./user-looks.tsx";

const NAME_LENGTH = 15;

/** The username as the list shows it: 15 characters, and an ellipsis where there are more. */
function shortName(username: string): string {
  // One visible character may be several in the text.
  const characters = Array.from(new Intl.Segmenter().segment(username), ({ segment }) => segment);
  return characters.length > NAME_LENGTH ? `${characters.slice(0, NAME_LENGTH).join("")}…` : username;
}

interface IdentityProps {
  user: ManagedUser;
  /** Page about the user; undefined where the viewer may not see it. */
  pagePath: string | undefined;
}

function UserIdentity({ user, pagePath }: IdentityProps) {
  const who = [user.email, user.display_name === user.username ? "" : user.display_name].filter((part) => part !== "");
  const name = shortName(user.username);
  return (
    <div className={classes.identity}>
      {pagePath === undefined ? (
        <span className={classes.name} title={user.username}>
          {name}
        </span>
      ) : (
        <TextLink className={classes.name ?? ""} to={pagePath} title={user.username} inherit>
          {name}
        </TextLink>
      )}
      {who.length > 0 && (
        <span className={classes.who} title={who.join(" · ")}>
          {who.map((part, index) => (
            <span key={part}>{index === 0 ? part : ` · ${part}`}</span>
          ))}
        </span>
      )}
    </div>
  );
}

interface ColumnParts {
  t: Translate<"users" | "budgets" | "common">;
  language: Language;
  pagePathOf(user: ManagedUser): string | undefined;
  /** Room for the display name beside the address. */
  isWide: boolean;
  /** The last 30 days of the users on the page by id; undefined until they are known. */
  spend: ReadonlyMap<number, UserSpend> | undefined;
}

function identityColumns({ t, pagePathOf, isWide }: ColumnParts): DataColumn<ManagedUser>[] {
  return [
    idColumn(t("columns.id")),
    {
      id: "username",
      header: t("columns.username"),
      card: "title",
      growsFrom: isWide ? 172 : 144,
      cell: (user) => <UserIdentity user={user} pagePath={pagePathOf(user)} />,
      isSortable: true,
    },
    {
      id: "group",
      priority: 2,
      header: t("columns.group"),
      cell: ({ group }) => <UserGroups group={group} />,
      isSortable: true,
    },
  ];
}

function spendColumn({ t, spend }: ColumnParts): DataColumn<ManagedUser> {
  return {
    id: "spend_month",
    priority: 2,
    header: t("columns.spendMonth"),
    align: "right",
    hint: t("columns.spendMonthHint"),
    cell: ({ id, username }) => {
      const { quota, parts = [] } = spend?.get(id) ?? {};
      return (
        <span className={classes.spend}>
          <TrendCell values={parts} label={t("columns.spendMonthCourse", { name: username })}>
            {quota === undefined ? spend && "–" : <QuotaText quota={quota} />}
          </TrendCell>
        </span>
      );
    },
    isEmpty: ({ id }) => spend?.has(id) !== true,
  };
}

function amountColumns({ t, language }: ColumnParts): DataColumn<ManagedUser>[] {
  return [
    {
      id: "quota",
      header: t("columns.quota"),
      align: "right",
      cell: ({ quota }) => <QuotaText quota={quota} />,
      isSortable: true,
    },
    { id: "budget", header: t("budgets:title"), cell: ({ budget }) => <BudgetText budget={budget} /> },
    {
      id: "used_quota",
      priority: 4,
      header: t("columns.used"),
      align: "right",
      card: "third",
      cell: ({ used_quota }) => <QuotaText quota={used_quota} />,
      isSortable: true,
    },
    {
      id: "request_count",
      priority: 3,
      header: t("columns.requests"),
      hint: t("columns.requestsHint"),
      align: "right",
      card: "third",
      cell: ({ request_count }) => <span className="numbers">{formatInteger(request_count, language)}</span>,
      isSortable: true,
    },
  ];
}

export function userColumns(parts: ColumnParts): DataColumn<ManagedUser>[] {
  const { t } = parts;
  return [
    ...identityColumns(parts),
    ...amountColumns(parts),
    spendColumn(parts),
    {
      id: "role",
      priority: 3,
      header: t("columns.role"),
      cell: ({ role }) => <UserRole role={role} />,
      isSortable: true,
    },
    {
      id: "status",
      header: t("columns.status"),
      card: "badge",
      cell: ({ status }) => <UserStatus status={status} />,
      isSortable: true,
    },
    {
      id: "last_active_at",
      priority: 2,
      header: t("columns.lastActive"),
      card: "third",
      cell: ({ last_active_at }) => <RelativeTime time={last_active_at} />,
    },
    {
      id: "created_at",
      startsHidden: true,
      header: t("columns.created"),
      card: "none",
      cell: ({ created_at }) => <TimeText time={created_at} dateOnly />,
      isSortable: true,
    },
  ];
}
