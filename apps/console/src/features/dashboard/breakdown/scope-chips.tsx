import { Button } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { channelQuery } from "../../channels/channel-queries.ts";
import { userQuery } from "../../users/user-queries.ts";
import { byOf, type Scope } from "./dashboard-scope.ts";
import type { DashboardKey, DashboardSearch } from "../dashboard-search.ts";

/** Name of the user that the page is narrowed down to; undefined until it is known, and for a deleted one. */
export function useUsername(user: number | undefined): string | undefined {
  return useQuery({ ...userQuery(user ?? 0), enabled: user !== undefined }).data?.username;
}

function useChannelName(channel: number | undefined): string | undefined {
  return useQuery({ ...channelQuery(channel ?? 0), enabled: channel !== undefined }).data?.name;
}

interface ScopeChipsProps {
  scope: Scope;
  username: string | undefined;
  /** The chip that takes the focus: its row was opened. */
  opened: DashboardKey | undefined;
  onLeave(key: DashboardKey, changes: DashboardSearch): void;
}

/** The scope of the page as chips. Each leads back to the list that its row was opened in. */
export function ScopeChips({ scope, username, opened, onLeave }: ScopeChipsProps) {
  const { t } = useTranslation("dashboard");
  const channelName = useChannelName(scope.channel);
  const names: Readonly<Record<DashboardKey, string | undefined>> = {
    user: scope.user === undefined ? undefined : (username ?? `#${scope.user}`),
    model: scope.model,
    channel: scope.channel === undefined ? undefined : (channelName ?? `#${scope.channel}`),
    token: scope.token,
    alias: scope.alias,
  };
  const keys = (["alias", "user", "model", "channel", "token"] as const).filter((key) => names[key] !== undefined);
  return keys.map((key) => (
    <Button
      key={key}
      size="compact-sm"
      variant="light"
      autoFocus={key === opened}
      title={t("only.leave")}
      rightSection={<IconX size={14} aria-hidden="true" />}
      // A token's name says nothing without its user.
      onClick={() => onLeave(key, { [key]: undefined, ...(key === "user" && { token: undefined }), ...byOf(key) })}
    >
      {t(`only.${key}`, { name: names[key] ?? "" })}
    </Button>
  ));
}
