import { Button } from "@mantine/core";
import { CHANNEL_STATUS } from "@one-api/contract/channels/channel-constants";
import { Card } from "../../../components/boxes/card.tsx";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { BulkReportDialog } from "../bulk/bulk-report-dialog.tsx";
import { useBulk } from "../bulk/use-bulk.ts";
import ChannelsOffEffect from "../effect/channels-off-effect.tsx";
import classes from "./matrix.module.css";

interface PreviewBarProps {
  ids: readonly number[];
  onClear(): void;
}

export function PreviewBar({ ids, onClear }: PreviewBarProps) {
  const { t } = useTranslation("channel-matrix");
  const bulk = useBulk();
  const { report } = bulk;
  const disable = async () => {
    await bulk.set(ids, { status: CHANNEL_STATUS.disabled });
    onClear();
  };
  return (
    <>
      {ids.length > 0 && (
        <div className={classes.preview} data-over-toasts>
          <Card
            title={t("preview.title", { count: ids.length })}
            description={t("preview.text")}
            actions={
              <span className={classes.buttons}>
                <Button variant="default" onClick={onClear}>
                  {t("preview.clear")}
                </Button>
                <Button color="danger" loading={bulk.progress !== undefined} onClick={() => void disable()}>
                  {t("preview.disable", { count: ids.length })}
                </Button>
              </span>
            }
          >
            <ChannelsOffEffect ids={ids} />
          </Card>
        </div>
      )}
      {report !== undefined && (
        <BulkReportDialog report={report} onClose={bulk.closeReport} onUndo={(undo) => void bulk.takeBack(undo)} />
      )}
    </>
  );
}
