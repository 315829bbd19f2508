import { Button } from "@mantine/core";
import { IconListDetails, IconRefresh } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ConfirmPopover } from "../../../components/confirm-popover.tsx";
import { readStored, writeStored } from "../../../lib/local-storage.ts";
import { STORAGE_KEY } from "../../../lib/storage-keys.ts";
import { toastSuccess } from "../../../lib/toasts.ts";
import { type TestScope, useDeleteDisabledChannels, useTestChannels } from "../channel-mutations.ts";

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

/** What is done with many channels at once. */
export function ChannelListButtons() {
  const { t } = useTranslation(["channels", "common"]);
  const remove = useDeleteDisabledChannels();
  return (
    <>
      <TestButton scope="all" label={t("test.all")} />
      <TestButton scope="disabled" label={t("test.disabled")} />
      <ConfirmPopover
        message={t("deleteDisabled.message")}
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
  const { t } = useTranslation(["channels", "common"]);
  return (
    <>
      <Button variant="default" leftSection={<IconListDetails size={16} />} onClick={onToggleDetails}>
        {hasDetails ? t("hideDetails") : t("showDetails")}
      </Button>
      <Button variant="default" leftSection={<IconRefresh size={16} />} onClick={onRefresh}>
        {t("common:refresh")}
      </Button>
    </>
  );
}
