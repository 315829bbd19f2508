import { TOKEN_STATUS } from "@one-api/contract/token-constants";
import type { Token } from "@one-api/contract/token";
import RowBulkBar, { type BulkAction } from "../../components/bulk/row-bulk-bar.tsx";
import type { ChosenRows } from "../../components/bulk/use-chosen-rows.ts";
import { callApi } from "../../lib/api/api-client.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { BulkDeletionEffect } from "../deletion/lazy-deletion-effect.ts";
import { TOKENS_KEY } from "./token-queries.ts";

const set = (status: typeof TOKEN_STATUS.enabled | typeof TOKEN_STATUS.disabled) => {
  return ({ id }: Token) => callApi("PUT /api/token/", { query: { status_only: "true" }, body: { id, status } });
};
const enable = set(TOKEN_STATUS.enabled);
const disable = set(TOKEN_STATUS.disabled);

const effectOf = (rows: readonly Token[]) => (
  <BulkDeletionEffect of="tokens" usedAt={rows.map(({ accessed_time: time }) => time)} />
);

export default function TokenBulkBar({ chosen }: { chosen: ChosenRows<Token> }) {
  const { t } = useTranslation("bulk", "common");
  const actions: BulkAction<Token>[] = [
    {
      id: "enable",
      label: t("common:enable"),
      isFor: ({ status }) => status === TOKEN_STATUS.disabled,
      run: enable,
      back: disable,
    },
    {
      id: "disable",
      label: t("common:disable"),
      isFor: ({ status }) => status === TOKEN_STATUS.enabled,
      run: disable,
      back: enable,
    },
    {
      id: "delete",
      label: t("common:delete"),
      isFor: () => true,
      run: ({ id }) => callApi("DELETE /api/token/:id/", { params: { id } }),
      question: (count) => ({ title: t("tokens.delete", { count }), message: t("tokens.deleteMessage") }),
      effectOf,
    },
  ];
  return (
    <RowBulkBar
      label={t("tokens.label")}
      chosen={chosen}
      nameOf={({ name }) => name}
      actions={actions}
      listKey={TOKENS_KEY}
    />
  );
}
