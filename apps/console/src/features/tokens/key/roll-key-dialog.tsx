import { Text } from "@mantine/core";
import type { Token } from "@one-api/contract/token";
import { useState } from "react";
import { FormDialog } from "../../../components/dialogs/form-dialog.tsx";
import { OverlapField, USUAL_OVERLAP } from "./overlap-field.tsx";
import { timeUntil } from "../../../lib/format.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { lazyPart } from "../../../lib/loading/later-part.ts";
import { rolledToken, useRollTokenKey } from "../token-mutations.ts";

const CreatedTokensDialog = lazyPart(() => import("../created-tokens-dialog.tsx"));

interface RollKeyDialogProps {
  token: Token;
  onClose(): void;
}

/** Asks how long the present key works on, rotates it, and shows the new key. */
export default function RollKeyDialog({ token, onClose }: RollKeyDialogProps) {
  const { t, language } = useTranslation("tokens");
  const [overlapSeconds, setOverlapSeconds] = useState<number>(USUAL_OVERLAP);
  const roll = useRollTokenKey();
  if (roll.data !== undefined) return <CreatedTokensDialog created={rolledToken(roll.data)} onClose={onClose} />;
  return (
    <FormDialog
      title={t("roll.title", { name: token.name })}
      submitLabel={t("roll.submit")}
      isSaving={roll.isPending}
      error={roll.error}
      onClose={onClose}
      onSubmit={() => roll.mutate({ id: token.id, overlapSeconds })}
    >
      <OverlapField
        label={t("roll.question")}
        description={t("roll.text")}
        textOf={(seconds) => ({
          label: t(`roll.overlaps.${seconds}`),
          ...(seconds === 0 ? { description: t("roll.atOnceText") } : {}),
        })}
        value={overlapSeconds}
        onChange={setOverlapSeconds}
      />
      {token.old_key_ends_at > 0 && (
        <Text size="sm" mt="md">
          {t("roll.olderEnds", { when: timeUntil(token.old_key_ends_at, language) })}
        </Text>
      )}
    </FormDialog>
  );
}
