import { CHANNEL_STATUS, MAX_BULK_CHANNELS } from "@one-api/contract/channels/channel-constants";
import { useState } from "react";
import { BulkFrame } from "../../../components/bulk/bulk-frame.tsx";
import type { MenuEntry } from "../../../components/floating/menu-entry.ts";
import { SelectAll } from "../../../components/bulk/select-all.tsx";
import { watchSending } from "../../../components/bulk/watch-sending.ts";
import { useConfirm } from "../../../components/dialogs/confirm.tsx";
import { callApi } from "../../../lib/api/api-client.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import type { ChannelFilters } from "../channel-list-search.ts";
import { ChannelsOffEffect, useConfirmOff } from "../effect/use-confirm-off.tsx";
import { searchOf } from "../channel-queries.ts";
import { BulkEditDialog } from "./bulk-edit-dialog.tsx";
import { BulkReportDialog } from "./bulk-report-dialog.tsx";
import { useBulk } from "./use-bulk.ts";

interface BulkBarProps {
  selected: ReadonlySet<number>;
  total: number;
  keyword: string;
  filters: ChannelFilters;
  onSelect(ids: ReadonlySet<number>): void;
}

const TYPED_FROM = 10;

function useBulkActions(ids: readonly number[], onEdit: () => void) {
  const { t } = useTranslation("channel-bulk", "common");
  const bulk = useBulk();
  const confirm = useConfirm();
  const count = ids.length;
  const confirmOff = useConfirmOff();
  const disable = async () => {
    if (await confirmOff({ ids })) await bulk.set(ids, { status: CHANNEL_STATUS.disabled });
  };
  const remove = async () => {
    const confirmed = await confirm({
      title: t("delete.title", { count }),
      message: t("delete.message"),
      ...(count > MAX_BULK_CHANNELS ? {} : { details: <ChannelsOffEffect ids={ids} /> }),
      confirmLabel: t("common:delete"),
      tone: "danger",
      ...(count < TYPED_FROM ? {} : { typedText: String(count) }),
    });
    if (confirmed) await bulk.remove(ids);
  };
  const isBusy = bulk.progress !== undefined;
  const entries: MenuEntry[] = [
    { id: "enable", label: t("common:enable"), onSelect: () => void bulk.set(ids, { status: CHANNEL_STATUS.enabled }) },
    { id: "disable", label: t("common:disable"), onSelect: () => void disable() },
    { id: "edit", label: t("edit.action"), onSelect: onEdit },
    { id: "test", label: t("test"), isDisabled: count > MAX_BULK_CHANNELS, onSelect: () => void bulk.test(ids) },
    { id: "delete", label: t("common:delete"), tone: "danger", onSelect: () => void remove() },
  ];
  return {
    bulk,
    isBusy,
    entries: entries.map((entry) => ({ ...entry, isDisabled: isBusy || entry.isDisabled === true })),
  };
}

export default function BulkBar(props: BulkBarProps) {
  const { t } = useTranslation("channel-bulk", "common");
  const { selected, total, keyword, filters, onSelect } = props;
  const ids = [...selected];
  const [isEditing, setEditing] = useState(false);
  const { bulk, entries } = useBulkActions(ids, () => setEditing(true));
  const { progress, report } = bulk;
  const selectAll = async () =>
    onSelect(new Set(await callApi("GET /api/channel/ids", { query: { ...searchOf(keyword), ...filters } })));
  return (
    <>
      <BulkFrame
        label={t("label")}
        count={ids.length}
        progress={progress}
        entries={entries}
        more={<SelectAll selected={ids.length} total={total} onSelect={selectAll} />}
        onClear={() => onSelect(new Set())}
      />
      {isEditing && (
        <BulkEditDialog
          count={ids.length}
          onClose={() => setEditing(false)}
          onSubmit={(fields) => {
            setEditing(false);
            void watchSending(bulk.set(ids, fields));
          }}
        />
      )}
      {report !== undefined && (
        <BulkReportDialog report={report} onClose={bulk.closeReport} onUndo={(undo) => void bulk.takeBack(undo)} />
      )}
    </>
  );
}
