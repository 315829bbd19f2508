import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { ConfirmPopover } from "../../../components/confirm-popover.tsx";
import { toastSuccess } from "../../../lib/toasts.ts";
import { useDeleteDisabledChannels } from "../api/use-delete-disabled-channels.ts";
import { type TestScope, useTestChannels } from "../api/use-test-channels.ts";

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
