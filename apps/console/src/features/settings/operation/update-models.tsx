import { Button, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../../lib/api/api-client.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { toastSuccess } from "../../../lib/toasts/toasts.ts";
import { CHANNELS_KEY } from "../../channels/channel-queries.ts";
import classes from "../options/options.module.css";

/** Rebuilds the index of models from the channels, requests the providers' lists, and reports the result. */
export function UpdateModels() {
  const { t } = useTranslation("settings");
  const client = useQueryClient();
  const update = useMutation({
    mutationFn: () => callApi("POST /api/channel/update_abilities"),
    onSuccess: () => {
      toastSuccess(t("updateModels.done"));
      void client.invalidateQueries({ queryKey: CHANNELS_KEY });
    },
  });
  const { data: summary } = update;
  return (
    <>
      <Text className={classes.mail ?? ""} size="sm" c="dimmed" role="status">
        {summary === undefined || summary === null
          ? t("updateModels.text")
          : t("updateModels.summary", {
              channels: summary.channels,
              listed: summary.listed,
              failed: summary.failed,
              unlisted: summary.unlisted.length,
            })}
      </Text>
      <Button variant="default" loading={update.isPending} onClick={() => update.mutate()}>
        {t("updateModels.button")}
      </Button>
    </>
  );
}
