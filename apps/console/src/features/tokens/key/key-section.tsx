import { Button } from "@mantine/core";
import type { Token } from "@one-api/contract/token";
import { useState } from "react";
import { useRunAction } from "../../../components/data-table/rows/row-action.ts";
import { FormSection, FormWide } from "../../../components/form/form-section.tsx";
import { lazyPart } from "../../../lib/loading/later-part.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { TokenDialogs } from "../token-dialogs.tsx";
import { maskedKey } from "../token-sharing.ts";
import { useCopyOrShow } from "../use-copy-or-show.ts";
import { useKeyActions } from "./key-actions.tsx";
import classes from "./key-section.module.css";
import { OldKeyNote } from "./old-key-note.tsx";

const RollKeyDialog = lazyPart(() => import("./roll-key-dialog.tsx"));

export function KeySection({ token }: { token: Token }) {
  const { t } = useTranslation("tokens");
  const [isRolling, setIsRolling] = useState(false);
  const copying = useCopyOrShow();
  const actions = useKeyActions(() => setIsRolling(true))(token);
  const run = useRunAction();
  return (
    <FormSection title={t("roll.section")} description={t("roll.sectionText")}>
      <FormWide>
        <div className={classes.line}>
          <code>{maskedKey(token)}</code>
          <OldKeyNote token={token} className={classes.note} />
          <span className={classes.actions}>
            {actions.map((action) => (
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
      {isRolling && <RollKeyDialog token={token} onClose={() => setIsRolling(false)} />}
      <TokenDialogs copying={copying} />
    </FormSection>
  );
}
