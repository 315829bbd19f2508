import { Button } from "@mantine/core";
import type { BulkOutcome } from "@one-api/contract/channel-bulk";
import { Dialog, DialogFoot } from "../../../components/dialogs/dialog.tsx";
import { TextLink } from "../../../components/text-link.tsx";
import { ApiError } from "../../../lib/api/api-error.ts";
import { useErrorText } from "../../../lib/api/error-text.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import type { BulkChange } from "./bulk-runs.ts";
import classes from "./bulk-report.module.css";
import type { BulkReport } from "./use-bulk.ts";

/** So many failed channels are listed. */
const LISTED = 200;

function FailedRow({ outcome: { id, name, code, message, values } }: { outcome: BulkOutcome }) {
  const reason = useErrorText(new ApiError({ kind: "refused", status: 200, message, code, values }));
  return (
    <li>
      {name === "" ? (
        <span>{id}</span>
      ) : (
        <TextLink to="/channel/edit/$id" params={{ id }}>
          {name}
        </TextLink>
      )}
      <span className={classes.reason}>{reason}</span>
    </li>
  );
}

interface BulkReportDialogProps {
  report: BulkReport;
  onClose(): void;
  onUndo(undo: readonly BulkChange[]): void;
}

/** What a run did, which channels refused it and why, and whether it was cut short. */
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
      {failed.length > 0 && (
        <ul className={classes.failed} aria-label={t("report.failed", { count: failed.length })}>
          {failed.slice(0, LISTED).map((outcome) => (
            <FailedRow key={outcome.id} outcome={outcome} />
          ))}
          {failed.length > LISTED && <li>{t("report.more", { count: failed.length - LISTED })}</li>}
        </ul>
      )}
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
