import { type AlertRule, createAlertRuleInputSchema } from "@one-api/contract/notifications/alert-rule";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../../lib/api/api-client.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { toastSuccess } from "../../../lib/toasts/toasts.ts";
import { RULES_KEY } from "./alert-rule-queries.ts";

/** Deletes a rule. The toast offers to set an own one again. */
export function useDeleteAlertRule() {
  const { t } = useTranslation("notifications");
  const client = useQueryClient();
  const onSettled = () => client.invalidateQueries({ queryKey: RULES_KEY, exact: true });
  const restore = useMutation({
    mutationFn: (rule: AlertRule) => callApi("POST /api/alert-rule/", { body: createAlertRuleInputSchema.parse(rule) }),
    onSuccess: () => toastSuccess(t("rules.added")),
    onSettled,
  });
  return useMutation({
    mutationFn: ({ id }: AlertRule) => callApi("DELETE /api/alert-rule/:id", { params: { id } }),
    onSuccess: (_, rule) =>
      toastSuccess(
        t("rules.deleted"),
        rule.is_own ? { label: t("rules.undo"), onSelect: () => restore.mutate(rule) } : undefined,
      ),
    onSettled,
  });
}
