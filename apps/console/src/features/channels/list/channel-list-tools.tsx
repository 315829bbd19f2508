import { Button } from "@mantine/core";
import { CHANNEL_STATUS } from "@one-api/contract/channel";
import { IconListDetails } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { RefreshButton } from "../../../components/data-table/refresh-button.tsx";
import { ConfirmPopover } from "../../../components/dialogs/confirm-popover.tsx";
import { readStored, writeStored } from "../../../lib/state/local-storage.ts";
import { STORAGE_KEY } from "../../../lib/state/storage-keys.ts";
import { toastSuccess } from "../../../lib/toasts.ts";
import { type TestScope, useDeleteDisabledChannels, useTestChannels } from "../channel-mutations.ts";
import { channelsOfStatusQuery } from "../channel-queries.ts";

/** Whether the list shows balance and test model, remembered in this browser. */
export function useChannelDetails() {
  const [isShown, setShown] = useState(() => readStored(STORAGE_KEY.channelDetails) === "true");
  const toggle = () => {
    writeStored(STORAGE_KEY.channelDetails, isShown ? undefined : "true");
    setShown(!isShown);
  };
  return { isShown, toggle };
}

function TestButton({ scope, label }: { scope: TestScope; label: string }) {
  const { t } = useTranslation("channels");
  const test = useTestChannels();
  return (
    <Button
      variant="default"
      loading={test.isPending}
      onClick={() => test.mutate(scope, { onSuccess: () => toastSuccess(t("test.started")) })}
    >
      {label}
    </Button>
  );
}

/** How many disabled channels the question names; of the rest it says how many they are. */
const NAMES_SHOWN = 5;

/** What "delete disabled" would delete: how many and which. */
function DisabledChannels() {
  const { t, language } = useTranslation("channels");
  const byHand = useQuery(channelsOfStatusQuery(CHANNEL_STATUS.disabled));
  const automatically = useQuery(channelsOfStatusQuery(CHANNEL_STATUS.autoDisabled));
  if (byHand.data === undefined || automatically.data === undefined) return t("deleteDisabled.message");
  const count = byHand.data.total + automatically.data.total;
  if (count === 0) return t("deleteDisabled.none");
  const names = [...byHand.data.names, ...automatically.data.names].slice(0, NAMES_SHOWN);
  const rest = count - names.length;
  const all = rest > 0 ? [...names, t("deleteDisabled.more", { count: rest })] : names;
  const list = new Intl.ListFormat(language, { type: "conjunction" }).format(all);
  return t("deleteDisabled.which", { count, list });
}

/** What is done with many channels at once. */
export function ChannelListButtons() {
  const { t } = useTranslation("channels", "common");
  const remove = useDeleteDisabledChannels();
  return (
    <>
      <TestButton scope="all" label={t("test.all")} />
      <TestButton scope="disabled" label={t("test.disabled")} />
      <ConfirmPopover
        message={<DisabledChannels />}
        confirmLabel={t("common:delete")}
        onConfirm={() =>
          remove.mutate(undefined, { onSuccess: (count) => toastSuccess(t("deleteDisabled.done", { count })) })
        }
      >
        {(props) => (
          <Button variant="default" loading={remove.isPending} {...props}>
            {t("deleteDisabled.action")}
          </Button>
        )}
      </ConfirmPopover>
    </>
  );
}

interface ChannelListToolsProps {
  hasDetails: boolean;
  onToggleDetails(): void;
  onRefresh(): void;
}

/** Details and refresh, beside the search. */
export function ChannelListTools({ hasDetails, onToggleDetails, onRefresh }: ChannelListToolsProps) {
  const { t } = useTranslation("channels", "common");
  return (
    <>
      <Button variant="default" leftSection={<IconListDetails size={16} />} onClick={onToggleDetails}>
        {hasDetails ? t("hideDetails") : t("showDetails")}
      </Button>
      <RefreshButton onRefresh={onRefresh} />
    </>
  );
}
