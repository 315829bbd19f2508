import { Button, Group, Stack, Text } from "@mantine/core";
import type { CreatedToken } from "@one-api/contract/token";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { ChoiceButtons } from "../../components/boxes/choice-buttons.tsx";
import { ButtonLink } from "../../components/buttons/button-link.tsx";
import { CodeBlock } from "../../components/content/code-block.tsx";
import { Dialog, DialogFoot } from "../../components/dialogs/dialog.tsx";
import { exampleModel } from "../../lib/values/call-example.ts";
import { CALL_LANGUAGES, callExamples } from "../../lib/values/call-examples.ts";
import { formatTime } from "../../lib/format.ts";
import { useServerAddress } from "../../lib/state/stored-status.ts";
import { lazyPart } from "../../lib/loading/later-part.ts";
import type { CreatedTokens } from "./token-mutations.ts";
import { availableModelsQuery } from "./token-queries.ts";
import { fullKey, shopFormat } from "./token-sharing.ts";
import { useCopyOrShow } from "./use-copy-or-show.tsx";

const FirstRequest = lazyPart(() => import("./first-request.tsx"), ["logs", "channel-reasons"]);

interface FirstUseProps {
  token: CreatedToken;
  models: readonly string[];
}

function FirstUse({ token, models }: FirstUseProps) {
  const { t } = useTranslation("tokens");
  const server = useServerAddress();
  const available = useQuery(availableModelsQuery).data ?? [];
  const callable = models.length === 0 ? available : models;
  const [language, setLanguage] = useState<(typeof CALL_LANGUAGES)[number]>("curl");
  const examples = callExamples({
    address: `${server}/v1`,
    model: exampleModel(callable),
    prompt: t("createdDialog.prompt"),
    key: fullKey(token),
    kind: "chat",
  });
  return (
    <Stack gap="xs">
      <Group justify="space-between" gap="xs">
        <Text fw={500}>{t("createdDialog.tryIt")}</Text>
        <ChoiceButtons
          label={t("createdDialog.language")}
          choices={CALL_LANGUAGES.map((name) => ({ value: name, text: name }))}
          value={language}
          onChange={setLanguage}
        />
      </Group>
      <CodeBlock code={examples[language]} label={t("createdDialog.copyCall")} />
    </Stack>
  );
}

/** Hint about the key; for a rotated one, the end of the previous key. */
function useKeyHint(): (count: number, oldKeyEndsAt: number | undefined) => string {
  const { t } = useTranslation("tokens");
  return (count, endsAt) => {
    if (endsAt === undefined) return t("createdDialog.hint", { count });
    return endsAt === 0 ? t("roll.madeAlone") : t("roll.made", { time: formatTime(endsAt) });
  };
}

interface CreatedTokensDialogProps {
  created: CreatedTokens;
  onClose(): void;
}

/** Shows the keys that were just created, with a first call; stays until it is closed. */
export default function CreatedTokensDialog({ created, onClose }: CreatedTokensDialogProps) {
  const { t } = useTranslation("tokens");
  const hintOf = useKeyHint();
  const [first, ...others] = created.tokens;
  const { copyOrShow, byHand } = useCopyOrShow();
  if (first === undefined) return null;
  const count = created.tokens.length;
  const keys = created.tokens.map(fullKey).join("\n");
  return (
    <Dialog
      onClose={onClose}
      size="lg"
      title={t(created.oldKeyEndsAt === undefined ? "createdDialog.title" : "roll.madeTitle", {
        count,
        name: first.name,
      })}
    >
      <Stack gap="lg">
        <Stack gap="xs">
          <Text c="dimmed">{hintOf(count, created.oldKeyEndsAt)}</Text>
          <CodeBlock
            code={others.length === 0 ? keys : shopFormat(created.tokens)}
            label={t("createdDialog.copyKeys", { count })}
          />
        </Stack>
        <FirstUse token={first} models={created.models} />
        <FirstRequest tokens={created.tokens} />
      </Stack>
      <DialogFoot>
        {others.length > 0 && (
          <Button variant="default" onClick={() => copyOrShow(keys, t("copy.keyDone"))}>
            {t("createdDialog.onlyKeys")}
          </Button>
        )}
        <ButtonLink to="/playground" search={{ token: first.id }} variant="default" onClick={onClose}>
          {t("createdDialog.playground")}
        </ButtonLink>
        <ButtonLink to="/recipes" search={{ token: first.id }} variant="default" onClick={onClose}>
          {t("recipes")}
        </ButtonLink>
        <Button onClick={onClose} data-autofocus>
          {t("createdDialog.done")}
        </Button>
      </DialogFoot>
      {byHand}
    </Dialog>
  );
}
