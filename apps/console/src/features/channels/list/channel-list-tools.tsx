import { ActionIcon, Button } from "@mantine/core";
import { CHANNEL_STATUS } from "@one-api/contract/channels/channel-constants";
import { IconTableColumn, IconRefresh } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { ButtonLink } from "../../../components/buttons/button-link.tsx";
import { ConfirmQuestion } from "../../../components/dialogs/confirm-question.tsx";
import { PopoverButton } from "../../../components/floating/popover-button.tsx";
import { useCardScreen } from "../../../lib/browser/use-narrow-screen.ts";
import { readStored, writeStored } from "../../../lib/state/local-storage.ts";
import { STORAGE_KEY } from "../../../lib/state/storage-keys.ts";
import { toastSuccess } from "../../../lib/toasts/toasts.ts";
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

const NAMES_SHOWN = 5;

interface DeleteDisabledQuestionProps {
  onConfirm(): void;
  close(): void;
}

/** Asks about "delete disabled" with how many it would delete and which; where none is disabled it only says so. */
function DeleteDisabledQuestion({ onConfirm, close }: DeleteDisabledQuestionProps) {
  const { t, language } = useTranslation("channels", "common");
  const byHand = useQuery(channelsOfStatusQuery(CHANNEL_STATUS.disabled));
  const automatically = useQuery(channelsOfStatusQuery(CHANNEL_STATUS.autoDisabled));
  const ask = (message: string, canConfirm: boolean) => (
    <ConfirmQuestion
      message={message}
      confirmLabel={t("common:delete")}
      onConfirm={canConfirm ? onConfirm : undefined}
      close={close}
    />
  );
  if (byHand.data === undefined || automatically.data === undefined)
    return ask(t("deleteDisabled.message"), !byHand.isPending && !automatically.isPending);
  const count = byHand.data.total + automatically.data.total;
  if (count === 0) return ask(t("deleteDisabled.none"), false);
  const names = [...byHand.data.names, ...automatically.data.names].slice(0, NAMES_SHOWN);
  const rest = count - names.length;
  const all = rest > 0 ? [...names, t("deleteDisabled.more", { count: rest })] : names;
  const list = new Intl.ListFormat(language, { type: "conjunction" }).format(all);
  return ask(t("deleteDisabled.which", { count, list }), true);
}

export function ChannelListButtons() {
  const { t } = useTranslation("channels");
  const remove = useDeleteDisabledChannels();
  return (
    <>
      <ButtonLink to="/channel/matrix" variant="default">
        {t("matrix")}
      </ButtonLink>
      <TestButton scope="all" label={t("test.all")} />
      <TestButton scope="disabled" label={t("test.disabled")} />
      <PopoverButton
        width={280}
        position="bottom-end"
        label={t("deleteDisabled.action")}
        isQuestion
        renderButton={(props) => (
          <Button variant="default" loading={remove.isPending} {...props}>
            {t("deleteDisabled.action")}
          </Button>
        )}
      >
        {(close) => (
          <DeleteDisabledQuestion
            close={close}
            onConfirm={() =>
              remove.mutate(undefined, { onSuccess: (count) => toastSuccess(t("deleteDisabled.done", { count })) })
            }
          />
        )}
      </PopoverButton>
    </>
  );
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
  return (
    <>
      <ToolButton
        label={hasDetails ? t("hideDetails") : t("showDetails")}
        icon={<IconTableColumn size={16} />}
        onClick={onToggleDetails}
      />
      <IconButton label={t("common:refresh")} icon={<IconRefresh size={16} />} onClick={onRefresh} />
    </>
  );
}
