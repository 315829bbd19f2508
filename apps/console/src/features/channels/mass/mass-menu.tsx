import { CHANNEL_STATUS } from "@one-api/contract/channels/channel-constants";
import { IconGridDots, IconHeartbeat, IconTrash } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { ActionSheet } from "../../../components/data-table/rows/row-actions.tsx";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { channelsOfStatusQuery } from "../channel-queries.ts";
import { useListOfNames, useMassActions } from "./use-mass-actions.ts";

function DisabledChannels() {
  const { t } = useTranslation("channels");
  const listOf = useListOfNames();
  const byHand = useQuery(channelsOfStatusQuery(CHANNEL_STATUS.disabled)).data;
  const automatically = useQuery(channelsOfStatusQuery(CHANNEL_STATUS.autoDisabled)).data;
  if (byHand === undefined || automatically === undefined) return null;
  return byHand.total + automatically.total === 0 ? t("deleteDisabled.none") : listOf(byHand, automatically);
}

/** The buttons of the list's head behind three dots. */
export function MassMenu() {
  const { t } = useTranslation("channels", "common");
  const { test, remove } = useMassActions();
  const testIcon = <IconHeartbeat size={16} />;
  return (
    <ActionSheet
      title={t("title")}
      actions={[
        { id: "matrix", label: t("matrix"), icon: <IconGridDots size={16} />, path: "/channel/matrix" },
        { id: "all", label: t("test.all"), icon: testIcon, onSelect: () => test.start("all") },
        { id: "disabled", label: t("test.disabled"), icon: testIcon, onSelect: () => test.start("disabled") },
        {
          id: "delete",
          label: t("deleteDisabled.action"),
          icon: <IconTrash size={16} />,
          tone: "danger",
          confirm: {
            title: t("deleteDisabled.action"),
            message: t("deleteDisabled.message"),
            details: <DisabledChannels />,
            confirmLabel: t("common:delete"),
            tone: "danger",
          },
          onSelect: remove.start,
        },
      ]}
    />
  );
}
