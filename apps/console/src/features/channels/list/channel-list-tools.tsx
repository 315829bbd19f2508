import { ActionIcon, Button } from "@mantine/core";
import { IconRefresh, IconTableColumn } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { useCardScreen } from "../../../lib/browser/use-narrow-screen.ts";
import { readStored, writeStored } from "../../../lib/state/local-storage.ts";
import { STORAGE_KEY } from "../../../lib/state/storage-keys.ts";
import { CHANNEL_GROUPS_KEY, channelTrafficQuery } from "../channel-queries.ts";

/** Whether the list shows balance and test model, remembered in this browser. */
export function useChannelDetails() {
  const [isShown, setShown] = useState(() => readStored(STORAGE_KEY.channelDetails) === "true");
  const toggle = () => {
    writeStored(STORAGE_KEY.channelDetails, isShown ? undefined : "true");
    setShown(!isShown);
  };
  return { isShown, toggle };
}

interface ToolButtonProps {
  label: string;
  icon: ReactNode;
  onClick(): void;
}

function IconButton({ label, icon, onClick }: ToolButtonProps) {
  return (
    <ActionIcon variant="default" size={32} aria-label={label} data-tip={label} onClick={onClick}>
      {icon}
    </ActionIcon>
  );
}

/** On narrow screens the icon alone, so that it shares a line with the search. */
function ToolButton(props: ToolButtonProps) {
  if (useCardScreen()) return <IconButton {...props} />;
  return (
    <Button variant="default" leftSection={props.icon} onClick={props.onClick}>
      {props.label}
    </Button>
  );
}

interface ChannelListToolsProps {
  hasDetails: boolean;
  onToggleDetails(): void;
  onRefresh(): void;
}

export function ChannelListTools({ hasDetails, onToggleDetails, onRefresh }: ChannelListToolsProps) {
  const { t } = useTranslation("channels", "common");
  const client = useQueryClient();
  const refresh = () => {
    onRefresh();
    for (const queryKey of [channelTrafficQuery.queryKey, CHANNEL_GROUPS_KEY])
      void client.invalidateQueries({ queryKey });
  };
  return (
    <>
      <ToolButton
        label={hasDetails ? t("hideDetails") : t("showDetails")}
        icon={<IconTableColumn size={16} />}
        onClick={onToggleDetails}
      />
      <IconButton label={t("common:refresh")} icon={<IconRefresh size={16} />} onClick={refresh} />
    </>
  );
}
