import { Button, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { SafeContent } from "../../../components/content/safe-content.tsx";
import { Dialog, DialogFoot } from "../../../components/dialogs/dialog.tsx";
import { callApi, type CallData } from "../../../lib/api/api-client.ts";
import { useErrorText } from "../../../lib/api/error-text.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { useStoredStatus } from "../../../lib/state/stored-status.ts";
import { toastSuccess } from "../../../lib/toasts/toasts.ts";
import { webAddress } from "../../../lib/values/web-address.ts";
import classes from "../options/options.module.css";

interface ReleaseDialogProps {
  release: CallData<"GET /api/update">;
  onClose(): void;
}

/** Newer version with its release notes, which are untrusted text. */
function ReleaseDialog({ release, onClose }: ReleaseDialogProps) {
  const { t } = useTranslation("settings", "common");
  const details = webAddress(release.html_url);
  return (
    <Dialog title={t("update.title", { tag: release.tag_name })} onClose={onClose} size="lg">
      <SafeContent content={release.body} format="markdown" />
      <DialogFoot>
        <Button variant="default" onClick={onClose}>
          {t("common:close")}
        </Button>
        {details !== undefined && (
          <Button component="a" href={details} target="_blank" rel="noopener noreferrer" data-autofocus>
            {t("update.details")}
          </Button>
        )}
      </DialogFoot>
    </Dialog>
  );
}

export function UpdateCheck() {
  const { t } = useTranslation("settings");
  const { version } = useStoredStatus();
  const check = useMutation({
    mutationFn: () => callApi("GET /api/update"),
    meta: { shownInPlace: true },
    onSuccess: ({ tag_name: tag }) => {
      if (tag === "") toastSuccess(t("update.latest", { version }));
    },
  });
  const problem = useErrorText(check.error);
  const release = check.data;
  return (
    <>
      <Text className={classes.mail ?? ""} size="sm" c="dimmed">
        {t("update.running", { version })}
      </Text>
      <Button variant="default" loading={check.isPending} onClick={() => check.mutate()}>
        {t("update.check")}
      </Button>
      {check.isError && (
        <Text className={classes.shown ?? ""} size="sm" c="danger" role="alert">
          {problem}
        </Text>
      )}
      {release !== undefined && release.tag_name !== "" && (
        <ReleaseDialog release={release} onClose={() => check.reset()} />
      )}
    </>
  );
}
