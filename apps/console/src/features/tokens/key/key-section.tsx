import { Button } from "@mantine/core";
import type { Token } from "@one-api/contract/token";
import { useRunAction } from "../../../components/data-table/rows/row-action.ts";
import { FormSection, FormWide } from "../../../components/form/form-section.tsx";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { maskedKey } from "../token-sharing.ts";
import { useKeyActions } from "./key-actions.tsx";
import classes from "./key-section.module.css";
import { OldKeyNote } from "./old-key-note.tsx";

export function KeySection({ token }: { token: Token }) {
  const { t } = useTranslation("tokens");
  const { actionsOf, dialog } = useKeyActions();
  const run = useRunAction();
  return (
    <FormSection title={t("roll.section")} description={t("roll.sectionText")}>
      <FormWide>
        <div className={classes.line}>
          <code>{maskedKey(token)}</code>
          <OldKeyNote token={token} className={classes.note} />
          <span className={classes.actions}>
            {actionsOf(token).map((action) => (
              <Button
                key={action.id}
                variant={action.tone === "danger" ? "light" : "default"}
                {...(action.tone === "danger" ? { color: "danger" } : {})}
                leftSection={action.icon}
                onClick={() => run(action)}
              >
                {action.label}
              </Button>
            ))}
          </span>
        </div>
      </FormWide>
      {dialog}
    </FormSection>
  );
}
