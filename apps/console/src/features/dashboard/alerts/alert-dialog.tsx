import { Button } from "@mantine/core";
import { type AlertRule, createAlertRuleInputSchema } from "@one-api/contract/notifications/alert-rule";
import { useState } from "react";
import { FormDialog } from "../../../components/dialogs/form-dialog.tsx";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { toastSuccess } from "../../../lib/toasts/toasts.ts";
import { isAccepted } from "../../../lib/validate-form.ts";
import type { Scope } from "../breakdown/dashboard-scope.ts";
import { useSaveAlertRule } from "./alert-rule-queries.ts";
import { NoTarget } from "./alert-targets.tsx";
import { OtherRules } from "./other-rules.tsx";
import { RuleFields } from "./rule-fields.tsx";
import type { RuleValues } from "./rule-form-model.ts";
import { RulePreview } from "./rule-preview.tsx";
import { useDeleteAlertRule } from "./use-delete-alert-rule.ts";
import { type RuleSubject, useRuleForm } from "./use-rule-form.ts";
import classes from "./alerts.module.css";

/** The watched requests in words. */
function Watched({
  scope: { user, channel, model, token, alias },
  rule,
}: {
  scope: Scope;
  rule: AlertRule | undefined;
}) {
  const { t } = useTranslation("notifications");
  const parts = [
    user !== undefined && t("rules.scope.user", { name: rule?.username ?? `#${user}` }),
    channel !== undefined && t("rules.scope.channel", { name: rule?.channel_name ?? `#${channel}` }),
    model !== undefined && t("rules.scope.model", { name: model }),
    token !== undefined && t("rules.scope.token", { name: token }),
    alias !== undefined && t("rules.scope.alias", { name: alias }),
  ].filter((part) => part !== false);
  return <p className={classes.scope}>{parts.length === 0 ? t("rules.scope.all") : parts.join(" · ")}</p>;
}

function DeleteButton({ rule, onClose }: { rule: AlertRule; onClose(): void }) {
  const { t } = useTranslation("notifications");
  const remove = useDeleteAlertRule();
  return (
    <Button
      variant="subtle"
      color="danger"
      size="compact-sm"
      loading={remove.isPending}
      onClick={() => remove.mutate(rule, { onSuccess: onClose })}
    >
      {t("rules.delete")}
    </Button>
  );
}

/** Sets an alert on a chart, or changes one. */
export default function AlertDialog({ onClose, ...subject }: RuleSubject & { onClose(): void }) {
  const { t } = useTranslation("notifications");
  const { rule } = subject;
  const { values, payload, watched, targets, edges, usage, enter } = useRuleForm(subject);
  const save = useSaveAlertRule();
  const [wasTried, setWasTried] = useState(false);
  const isRight = isAccepted(createAlertRuleInputSchema, payload);
  const isNew = rule === undefined;
  const change = (changes: Partial<RuleValues>) => {
    if (save.isError) save.reset();
    enter(changes);
  };
  const onSuccess = () => {
    toastSuccess(t(isNew ? "rules.added" : "rules.changed"));
    onClose();
  };
  const submit = () => {
    setWasTried(true);
    if (isRight) save.mutate({ id: rule?.id, ...payload }, { onSuccess });
  };
  return (
    <FormDialog
      title={t(isNew ? "rules.title" : "rules.editTitle")}
      size="lg"
      onClose={onClose}
      submitLabel={t(isNew ? "rules.add" : "rules.save")}
      isSaving={save.isPending}
      // Without a target a note says how to get one.
      canSubmit={values.receiver !== undefined}
      error={save.error}
      onSubmit={submit}
    >
      <Watched scope={watched} rule={rule} />
      <RuleFields values={values} targets={targets ?? []} isWrong={wasTried && !isRight} onChange={change} />
      {targets?.length === 0 && <NoTarget />}
      <RulePreview values={values} edges={edges} usage={usage} onChange={(threshold) => change({ threshold })} />
      {isNew ? <OtherRules /> : <DeleteButton rule={rule} onClose={onClose} />}
    </FormDialog>
  );
}
