import type { Invitation } from "@one-api/contract/accounts/invitation";
import type { InvitationState } from "@one-api/contract/accounts/invitation-constants";
import type { DataColumn } from "../../components/data-table/data-column.ts";
import { QuotaText } from "../../components/quota-text.tsx";
import { StatusBadge, type StatusTone } from "../../components/status-badge.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { RelativeTime } from "../../components/relative-time.tsx";
import { TimeText } from "../../components/time-text.tsx";
import type { Translate } from "../../lib/i18n/text-keys.ts";

const TONES = { open: "good", used: "neutral", expired: "neutral" } as const satisfies Record<string, StatusTone>;

export function stateOf({ used_at, expires_at }: Invitation): Exclude<InvitationState, "all"> {
  if (used_at > 0) return "used";
  return expires_at * 1_000 > Date.now() ? "open" : "expired";
}

function usedColumns(t: Translate<"invitations">): DataColumn<Invitation>[] {
  return [
    {
      id: "used_at",
      priority: 2,
      header: t("columns.used"),
      isEmpty: ({ used_at }) => used_at === 0,
      cell: ({ used_at }) => <RelativeTime time={used_at} />,
    },
    {
      id: "used_by",
      header: t("columns.usedBy"),
      isEmpty: ({ used_by }) => used_by === "",
      cell: ({ used_by }) =>
        used_by === "" ? (
          "–"
        ) : (
          <TextLink to="/user" search={{ keyword: used_by }} inherit>
            {used_by}
          </TextLink>
        ),
    },
  ];
}

export function invitationColumns(t: Translate<"invitations">): DataColumn<Invitation>[] {
  return [
    { id: "name", header: t("columns.name"), card: "title", cell: ({ name }) => name },
    {
      id: "state",
      header: t("columns.state"),
      card: "badge",
      cell: (invitation) => {
        const state = stateOf(invitation);
        return <StatusBadge tone={TONES[state]}>{t(`state.${state}`)}</StatusBadge>;
      },
    },
    { id: "group", priority: 2, card: "third", header: t("columns.group"), cell: ({ group }) => group || "default" },
    {
      id: "quota",
      card: "third",
      header: t("columns.quota"),
      align: "right",
      cell: ({ quota }) => <QuotaText quota={quota} />,
    },
    {
      id: "created_at",
      priority: 3,
      card: "none",
      header: t("columns.created"),
      cell: ({ created_at }) => <RelativeTime time={created_at} />,
    },
    {
      id: "created_by",
      priority: 2,
      card: "none",
      header: t("columns.createdBy"),
      cell: ({ created_by }) => created_by || "–",
    },
    {
      id: "expires_at",
      card: "third",
      header: t("columns.expires"),
      cell: ({ expires_at }) => <TimeText time={expires_at} dateOnly />,
    },
    ...usedColumns(t),
  ];
}
