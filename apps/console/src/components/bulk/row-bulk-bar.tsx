import { Button } from "@mantine/core";
import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { toastSuccess } from "../../lib/toasts/toasts.ts";
import { useConfirm } from "../dialogs/confirm.tsx";
import { Dialog, DialogFoot } from "../dialogs/dialog.tsx";
import type { MenuEntry } from "../floating/menu-entry.ts";
import { BulkFrame, type BulkProgress } from "./bulk-frame.tsx";
import { SelectAll } from "./select-all.tsx";
import type { ChosenRows } from "./use-chosen-rows.ts";
import { FailedList } from "./failed-list.tsx";
import { type RefusedRow, runForRows } from "./run-for-rows.ts";

interface Named {
  readonly id: number;
}

export interface BulkAction<Row> {
  readonly id: string;
  readonly label: string;
  /** Leaves out rows that have it already, or may not have it. */
  isFor(row: Row): boolean;
  run(row: Row): Promise<unknown>;
  /** Undoes the action. Absent if nothing can. */
  back?(row: Row): Promise<unknown>;
  /** Asked before, with how many rows; then it is dangerous. */
  question?(count: number): { readonly title: string; readonly message: string };
  /** Shown with the question: what the action does to these rows. */
  effectOf?(rows: readonly Row[]): ReactNode;
}

interface Report<Row> {
  readonly done: number;
  readonly total: number;
  readonly refused: readonly RefusedRow<Row>[];
}

/** From this many rows on, the number must be typed. */
const TYPED_FROM = 10;

function useRuns<Row extends Named>(listKey: QueryKey, onDone: () => void) {
  const { t } = useTranslation("bulk");
  const client = useQueryClient();
  const [progress, setProgress] = useState<BulkProgress>();
  const [report, setReport] = useState<Report<Row>>();
  const run = async (rows: readonly Row[], { run: work, back }: Pick<BulkAction<Row>, "run" | "back">) => {
    const total = rows.length;
    setReport(undefined);
    setProgress({ done: 0, total });
    const refused = await runForRows(rows, work, (done) => setProgress({ done, total }));
    await client.invalidateQueries({ queryKey: listKey });
    onDone();
    setProgress(undefined);
    const done = rows.filter((row) => refused.every((other) => other.row !== row));
    if (refused.length > 0) setReport({ done: done.length, total, refused });
    if (done.length === 0) return;
    const undo = back === undefined ? [] : [{ label: t("undo"), onSelect: () => void run(done, { run: back }) }];
    toastSuccess(t("done", { count: done.length }), ...undo);
  };
  return { progress, report, closeReport: () => setReport(undefined), run };
}

/** Returns a function that asks whether to run an action on these rows, if it has a question. */
function useQuestion<Row>() {
  const confirm = useConfirm();
  return async (action: BulkAction<Row>, rows: readonly Row[]): Promise<boolean> => {
    const count = rows.length;
    const asked = action.question?.(count);
    if (asked === undefined) return true;
    const typed = count < TYPED_FROM ? {} : { typedText: String(count) };
    const details = action.effectOf?.(rows);
    return confirm({ ...asked, ...typed, details, confirmLabel: action.label, tone: "danger" });
  };
}

interface RowBulkBarProps<Row> {
  label: string;
  chosen: ChosenRows<Row>;
  nameOf(row: Row): string;
  actions: readonly BulkAction<Row>[];
  listKey: QueryKey;
}

/** Bar under a list with chosen rows: applies an action to all of them, and names those that refused. */
export default function RowBulkBar<Row extends Named>(props: RowBulkBarProps<Row>) {
  const { label, chosen, nameOf, actions, listKey } = props;
  const { rows } = chosen;
  const { t } = useTranslation("bulk", "common");
  const mayRun = useQuestion<Row>();
  const { progress, report, closeReport, run } = useRuns<Row>(listKey, chosen.forgetOthers);
  const act = async (action: BulkAction<Row>, fit: readonly Row[]) => {
    if (await mayRun(action, fit)) await run(fit, action);
  };
  const entries = actions.map((action): MenuEntry => {
    const fit = rows.filter((row) => action.isFor(row));
    return {
      id: action.id,
      label: fit.length === rows.length || fit.length === 0 ? action.label : t("some", { label: action.label, count: fit.length }), // prettier-ignore
      isDisabled: progress !== undefined || fit.length === 0,
      tone: action.question === undefined ? undefined : "danger",
      onSelect: () => void act(action, fit),
    };
  });
  return (
    <>
      <BulkFrame
        label={label}
        count={rows.length}
        progress={progress}
        entries={entries}
        more={<SelectAll selected={rows.length} total={chosen.total} onSelect={chosen.chooseAll} />}
        onClear={chosen.clear}
      />
      {report !== undefined && (
        <Dialog title={t("report.title")} onClose={closeReport} size="lg">
          <p>{t("report.done", { done: report.done, total: report.total })}</p>
          <FailedList
            label={t("report.failed", { count: report.refused.length })}
            rows={report.refused.map(({ row, error }) => ({ id: row.id, name: nameOf(row), error }))}
          />
          <DialogFoot>
            <Button onClick={closeReport}>{t("common:close")}</Button>
          </DialogFoot>
        </Dialog>
      )}
    </>
  );
}
