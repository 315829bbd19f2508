import { Button } from "@mantine/core";
import type { BulkOutcome } from "@one-api/contract/channels/channel-bulk";
import { FailedList, type FailedRow } from "../../../components/bulk/failed-list.tsx";
import { Dialog, DialogFoot } from "../../../components/dialogs/dialog.tsx";
import { TextLink } from "../../../components/text-link.tsx";
import { ApiError } from "../../../lib/api/api-error.ts";
import { useErrorText } from "../../../lib/api/error-text.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import type { BulkChange } from "./bulk-runs.ts";
import classes from "../../../components/bulk/failed-list.module.css";
import type { BulkReport } from "./use-bulk.ts";

function toFailedRow({ id, name, code, message, values }: BulkOutcome): FailedRow {
  const error = new ApiError({ kind: "refused", status: 200, message, code, values });
  const link = (
    <TextLink to="/channel/edit/$id" params={{ id }}>
      {name}
    </TextLink>
  );
  return { id, name: name === "" ? id : link, error };
}

interface BulkReportDialogProps {
  report: BulkReport;
  onClose(): void;
  onUndo(undo: readonly BulkChange[]): void;
}

export function BulkReportDialog({ report, onClose, onUndo }: BulkReportDialogProps) {
  const { t } = useTranslation("channel-bulk", "common");
  const { outcomes, total, undo = [], error } = report;
  const failed = outcomes.filter(({ code }) => code !== "");
  const done = outcomes.length - failed.length;
  const problem = useErrorText(error);
  return (
    <Dialog title={t("report.title")} onClose={onClose} size="lg">
      <p>{t("report.done", { done, total })}</p>
      {error !== undefined && <p className={classes.error}>{t("report.cut", { problem })}</p>}
      <FailedList label={t("report.failed", { count: failed.length })} rows={failed.map(toFailedRow)} />
      <DialogFoot>
        {undo.length > 0 && (
          <Button variant="default" onClick={() => onUndo(undo)}>
            {t("report.undo", { count: undo.reduce((sum, { ids }) => sum + ids.length, 0) })}
          </Button>
        )}
        <Button onClick={onClose}>{t("common:close")}</Button>
      </DialogFoot>
    </Dialog>
  );
}
