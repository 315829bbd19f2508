import type { Redemption } from "@one-api/contract/redemption";
import { REDEMPTION_STATUS } from "@one-api/contract/redemption-constants";
import RowBulkBar, { type BulkAction } from "../../components/bulk/row-bulk-bar.tsx";
import type { ChosenRows } from "../../components/bulk/use-chosen-rows.ts";
import { callApi } from "../../lib/api/api-client.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { BulkDeletionEffect } from "../deletion/lazy-deletion-effect.ts";
import { REDEMPTIONS_KEY } from "./redemption-queries.ts";

const set = (status: typeof REDEMPTION_STATUS.unused | typeof REDEMPTION_STATUS.disabled) => {
  return ({ id }: Redemption) =>
    callApi("PUT /api/redemption/", { query: { status_only: "true" }, body: { id, status } });
};
const enable = set(REDEMPTION_STATUS.unused);
const disable = set(REDEMPTION_STATUS.disabled);

/** Quota that nobody can redeem any longer. */
const worthOf = ({ status, quota }: Redemption) => (status === REDEMPTION_STATUS.used ? 0 : quota);

const effectOf = (rows: readonly Redemption[]) => (
  <BulkDeletionEffect of="codes" lost={rows.reduce((sum, row) => sum + worthOf(row), 0)} />
);

export default function RedemptionBulkBar({ chosen }: { chosen: ChosenRows<Redemption> }) {
  const { t } = useTranslation("bulk", "common");
  const actions: BulkAction<Redemption>[] = [
    {
      id: "enable",
      label: t("common:enable"),
      isFor: ({ status }) => status === REDEMPTION_STATUS.disabled,
      run: enable,
      back: disable,
    },
    {
      id: "disable",
      label: t("common:disable"),
      isFor: ({ status }) => status === REDEMPTION_STATUS.unused,
      run: disable,
      back: enable,
    },
    {
      id: "delete",
      label: t("common:delete"),
      isFor: () => true,
      run: ({ id }) => callApi("DELETE /api/redemption/:id/", { params: { id } }),
      question: (count) => ({ title: t("redemptions.delete", { count }), message: t("redemptions.deleteMessage") }),
      effectOf,
    },
  ];
  return (
    <RowBulkBar
      label={t("redemptions.label")}
      chosen={chosen}
      nameOf={({ name }) => name}
      actions={actions}
      listKey={REDEMPTIONS_KEY}
    />
  );
}
