import type { Log } from "@one-api/contract/logs/log";
import type { ReactNode } from "react";
import { TextLink } from "../../components/text-link.tsx";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { useCurrentUser, useIsAdmin } from "../../lib/state/session.ts";

export type ChannelNames = ReadonlyMap<number, string>;

export function ChannelLink({ id, names }: { id: number; names: ChannelNames }) {
  const { t } = useTranslation("logs");
  const name = names.get(id);
  return (
    <TextLink to="/channel/$id" params={{ id }} inherit>
      {name === undefined ? t("attempts.channel", { id }) : t("attempts.named", { name, id })}
    </TextLink>
  );
}

interface EntryLinkProps {
  log: Log;
  children: ReactNode;
}

export function UserLink({ log, children }: EntryLinkProps) {
  if (!useIsAdmin() || log.user_id === 0) return children;
  return (
    <TextLink to="/user/$id" params={{ id: log.user_id }} inherit>
      {children}
    </TextLink>
  );
}

/** Leads to the token of an entry. Its owner alone opens it; administrators find it on the owner's page. */
export function TokenLink({ log, children }: EntryLinkProps) {
  const user = useCurrentUser();
  if (log.token_id === 0) return children;
  if (log.user_id !== user?.id) return <UserLink log={log}>{children}</UserLink>;
  return (
    <TextLink to="/token/edit/$id" params={{ id: log.token_id }} inherit>
      {children}
    </TextLink>
  );
}
