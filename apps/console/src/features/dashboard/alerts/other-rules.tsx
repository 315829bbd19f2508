import { ActionIcon } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { useAlertRules } from "./alert-rule-queries.ts";
import { useDeleteAlertRule } from "./use-delete-alert-rule.ts";
import { useRuleText } from "./use-rule-text.ts";
import classes from "./alerts.module.css";

/** All alerts that the viewer can change, of every chart. */
export function OtherRules() {
  const { t } = useTranslation("notifications");
  const text = useRuleText();
  const remove = useDeleteAlertRule();
  const { data: rules = [] } = useAlertRules();
  if (rules.length === 0) return null;
  return (
    <section className={classes.others}>
      <h3>{t("rules.others")}</h3>
      <ul>
        {rules.map((rule) => {
          const { id, username, channel_name, model_name, token_name, alias, receiver_name: receiver, owner } = rule;
          const names = [username, channel_name, model_name, token_name, alias].filter((name) => name !== "");
          const more = [...names, receiver === "" ? t("rules.toMail") : receiver, ...(rule.is_own ? [] : [owner])];
          return (
            <li key={id} className={classes.other}>
              <div>
                {text(rule)} <span>· {more.join(" · ")}</span>
              </div>
              <ActionIcon
                size="sm"
                data-tip={t("rules.delete")}
                aria-label={t("rules.deleteOf", { rule: text(rule) })}
                onClick={() => remove.mutate(rule)}
              >
                <IconTrash size={14} />
              </ActionIcon>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
