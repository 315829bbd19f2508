import { Button } from "@mantine/core";
import { CHANNEL_STATUS } from "@one-api/contract/channels/channel-constants";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { ButtonLink } from "../../../components/buttons/button-link.tsx";
import { ConfirmQuestion } from "../../../components/dialogs/confirm-question.tsx";
import { PopoverButton } from "../../../components/floating/popover-button.tsx";
import { useWideScreen } from "../../../lib/browser/use-narrow-screen.ts";
import type { TestScope } from "../channel-mutations.ts";
import { channelsOfStatusQuery } from "../channel-queries.ts";
import { MassMenu } from "./mass-menu.tsx";
import { useListOfNames, useMassActions } from "./use-mass-actions.ts";

function TestButton({ scope, label }: { scope: TestScope; label: string }) {
  const { test } = useMassActions();
  return (
    <Button variant="default" loading={test.isPending} onClick={() => test.start(scope)}>
      {label}
    </Button>
  );
}

interface DeleteDisabledQuestionProps {
  onConfirm(): void;
  close(): void;
}

/** Asks about "delete disabled" with how many it would delete and which; where none is disabled it only says so. */
function DeleteDisabledQuestion({ onConfirm, close }: DeleteDisabledQuestionProps) {
  const { t } = useTranslation("channels", "common");
  const listOf = useListOfNames();
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
  const list = listOf(byHand.data, automatically.data);
  return ask(t("deleteDisabled.which", { count, list }), true);
}

/** Actions on all channels at once, and the way to the matrix: buttons where they fit beside the title. */
export function MassButtons() {
  const { t } = useTranslation("channels");
  const { remove } = useMassActions();
  if (!useWideScreen()) return <MassMenu />;
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
        {(close) => <DeleteDisabledQuestion close={close} onConfirm={remove.start} />}
      </PopoverButton>
    </>
  );
}
