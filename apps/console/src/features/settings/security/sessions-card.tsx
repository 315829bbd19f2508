import { Button } from "@mantine/core";
import type { Session } from "@one-api/contract/accounts/session";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Card } from "../../../components/boxes/card.tsx";
import { ListError } from "../../../components/data-table/list-error.tsx";
import { useConfirm } from "../../../components/dialogs/confirm.tsx";
import { RelativeTime } from "../../../components/relative-time.tsx";
import { StatusBadge } from "../../../components/status-badge.tsx";
import { spaceAfter } from "../../../lib/values/space-after.ts";
import { callApi } from "../../../lib/api/api-client.ts";
import { forgetServerState } from "../../../lib/api/query-client.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { clearUser } from "../../../lib/state/session.ts";
import { toastSuccess } from "../../../lib/toasts/toasts.ts";
import settings from "../settings-page.module.css";
import { browserName } from "./browser-name.ts";
import { sessionsQuery } from "./factor-queries.ts";
import classes from "./security.module.css";

/** One piece of the line, which breaks between them. */
function LabelledTime({ label, time }: { label: string; time: number }) {
  return (
    <span className={classes.piece}>
      {label + spaceAfter(label)}
      <RelativeTime time={time} />
    </span>
  );
}

function SessionLine({ session }: { session: Session }) {
  const { t } = useTranslation("security");
  const client = useQueryClient();
  const name = browserName(session.user_agent) || t("sessions.unknown");
  const end = useMutation({
    mutationFn: () => callApi("DELETE /api/user/sessions/:id", { params: { id: session.id } }),
    onSuccess: () => toastSuccess(t("sessions.ended", { name })),
    onSettled: () => client.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
  return (
    <div className={settings.line}>
      <span className={classes.text ?? ""}>
        <div className={classes.name ?? ""}>
          {name}
          {session.is_current && <StatusBadge tone="good">{t("sessions.current")}</StatusBadge>}
        </div>
        <div className={settings.secondary}>
          {session.address} · <LabelledTime label={t("sessions.lastSeen")} time={session.last_seen_at} /> ·{" "}
          <LabelledTime label={t("sessions.since")} time={session.created_at} />
        </div>
      </span>
      {!session.is_current && (
        <Button
          variant="default"
          aria-label={t("sessions.endName", { name })}
          loading={end.isPending}
          onClick={() => end.mutate()}
        >
          {t("sessions.end")}
        </Button>
      )}
    </div>
  );
}

/** Ends every session, this one too, and leads to the login. */
function EndAllButton() {
  const { t } = useTranslation("security");
  const confirm = useConfirm();
  const navigate = useNavigate();
  const client = useQueryClient();
  const endAll = useMutation({
    mutationFn: () => callApi("DELETE /api/user/sessions"),
    onSuccess: async () => {
      toastSuccess(t("sessions.allEnded"));
      clearUser();
      await navigate({ to: "/login" });
      forgetServerState(client);
    },
  });
  const ask = async () => {
    const question = {
      title: t("sessions.endAll"),
      message: t("sessions.endAllText"),
      confirmLabel: t("sessions.endAll"),
      tone: "danger",
    } as const;
    if (await confirm(question)) endAll.mutate();
  };
  return (
    <Button variant="light" color="danger" loading={endAll.isPending} onClick={() => void ask()}>
      {t("sessions.endAll")}
    </Button>
  );
}

export function SessionsCard() {
  const { t } = useTranslation("security");
  const sessions = useQuery(sessionsQuery);
  return (
    <Card title={t("sessions.title")} description={t("sessions.text")} actions={<EndAllButton />}>
      {sessions.error !== null && <ListError error={sessions.error} onRetry={() => void sessions.refetch()} />}
      {sessions.data?.map((session) => (
        <SessionLine key={session.id} session={session} />
      ))}
    </Card>
  );
}
