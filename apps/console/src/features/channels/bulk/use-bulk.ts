import type { BulkFields } from "@one-api/contract/channels/channel-bulk";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { callApi } from "../../../lib/api/api-client.ts";
import { showError } from "../../../lib/api/show-error.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { toastSuccess } from "../../../lib/toasts/toasts.ts";
import { CHANNELS_KEY, TEST_PROGRESS_KEY } from "../channel-queries.ts";
import { type BulkChange, type BulkResult, runChanges, runDeletion, undoOf } from "./bulk-runs.ts";

export interface BulkReport extends BulkResult {
  readonly total: number;
  /** Changes that undo the run; absent if there are none. */
  readonly undo?: readonly BulkChange[];
}

/** Runs bulk actions on channels: one at a time, with progress, and a report of failures. */
export function useBulk() {
  const { t } = useTranslation("channel-bulk");
  const client = useQueryClient();
  const [progress, setProgress] = useState<{ readonly done: number; readonly total: number }>();
  const [report, setReport] = useState<BulkReport>();

  const run = async (
    total: number,
    work: (onDone: (done: number) => void) => Promise<BulkReport>,
    doneText: "done.changed" | "done.deleted" | "done.undone",
  ): Promise<void> => {
    setReport(undefined);
    setProgress({ done: 0, total });
    const result = await work((done) => setProgress({ done, total }));
    // Channels that left the lists are no longer chosen.
    await client.invalidateQueries({ queryKey: CHANNELS_KEY });
    setProgress(undefined);
    const failed = result.outcomes.filter(({ code }) => code !== "");
    const { undo = [] } = result;
    if (failed.length > 0 || result.error !== undefined) setReport(result);
    else if (undo.length === 0) toastSuccess(t(doneText, { count: total }));
    else toastSuccess(t(doneText, { count: total }), { label: t("undo"), onSelect: () => void takeBack(undo) });
  };

  const change = (changes: readonly BulkChange[], doneText: "done.changed" | "done.undone", canUndo: boolean) => {
    const total = changes.reduce((sum, { ids }) => sum + ids.length, 0);
    const work = async (onDone: (done: number) => void): Promise<BulkReport> => {
      const result = await runChanges(changes, onDone);
      return { ...result, total, ...(canUndo ? { undo: undoOf(result.outcomes) } : {}) };
    };
    return run(total, work, doneText);
  };
  const takeBack = (undo: readonly BulkChange[]) => change(undo, "done.undone", false);

  return {
    progress,
    report,
    closeReport: () => setReport(undefined),
    set: (ids: readonly number[], fields: BulkFields) => change([{ ids: [...ids], set: fields }], "done.changed", true),
    takeBack,
    remove: (ids: readonly number[]) =>
      run(ids.length, async (onDone) => ({ ...(await runDeletion(ids, onDone)), total: ids.length }), "done.deleted"),
    test: async (ids: readonly number[]) => {
      try {
        await callApi("POST /api/channel/test/selected", { body: { ids: [...ids] } });
        toastSuccess(t("done.testing", { count: ids.length }));
      } catch (error) {
        showError(error);
      }
      void client.invalidateQueries({ queryKey: TEST_PROGRESS_KEY });
    },
  };
}
