import { Alert, Button } from "@mantine/core";
import { RATIO_KEYS, type RatioKey } from "@one-api/contract/ratios";
import { IconAlertCircle } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { Card } from "../../../../components/boxes/card.tsx";
import { useErrorText } from "../../../../lib/api/error-text.ts";
import { useTranslation } from "../../../../lib/i18n/use-translation.ts";
import { watchUnsaved } from "../../../../lib/state/unsaved-work.ts";
import { toastSuccess } from "../../../../lib/toasts.ts";
import pageClasses from "../../settings-page.module.css";
import { useSaveOptions } from "../../system/option-queries.ts";
import type { SavedOptions } from "../../system/system-options.ts";
import { RatioChangesDialog } from "./ratio-changes-dialog.tsx";
import { RatioJson } from "./ratio-json.tsx";
import { problemOf, type RatioTexts, savedTexts } from "./ratio-model.ts";
import { RatioTables } from "./ratio-tables.tsx";

/** The three texts while they are edited, and which of them changed. */
function useRatioDraft(saved: SavedOptions) {
  const before = savedTexts(saved);
  const [draft, setDraft] = useState<Partial<RatioTexts>>({});
  const texts: RatioTexts = { ...before, ...draft };
  const changed = RATIO_KEYS.filter((key) => texts[key].trim() !== before[key].trim());
  useEffect(() => watchUnsaved(() => changed.length > 0));
  return { before, texts, changed, setDraft };
}

const MODES = ["table", "json"] as const;

/** What models and groups cost, as tables or as JSON; what changes is shown before it is saved. */
export function RatioSection({ saved }: { saved: SavedOptions }) {
  const { t } = useTranslation("settings", "common");
  const { before, texts, changed, setDraft } = useRatioDraft(saved);
  const [mode, setMode] = useState<(typeof MODES)[number]>("table");
  const [isAsking, setIsAsking] = useState(false);
  const save = useSaveOptions();
  const problem = useErrorText(save.error);
  const broken = changed.filter((key) => problemOf(texts[key]) !== undefined);
  const change = (key: RatioKey, text: string) => {
    setDraft((draft) => ({ ...draft, [key]: text }));
    if (save.isError) save.reset();
  };
  const onSaved = () => {
    setDraft({});
    setIsAsking(false);
    toastSuccess(t("common:operationCompleted"));
  };
  const onConfirm = () =>
    save.mutate(
      changed.map((key) => ({ key, value: texts[key].trim() || "{}" })),
      { onSuccess: onSaved, onError: () => setIsAsking(false) },
    );
  const submit = () => {
    // A wrong text stands in the other view too: there it says where.
    if (broken.length > 0) setMode("json");
    else if (changed.length > 0) setIsAsking(true);
  };
  const choice = (
    <Button.Group aria-label={t("ratios.mode")}>
      {MODES.map((name) => (
        <Button
          key={name}
          size="compact-sm"
          variant={name === mode ? "light" : "default"}
          aria-pressed={name === mode}
          onClick={() => setMode(name)}
        >
          {t(`ratios.${name}`)}
        </Button>
      ))}
    </Button.Group>
  );
  const View = mode === "table" ? RatioTables : RatioJson;
  return (
    <Card title={t("ratios.title")} description={t("ratios.text")} actions={choice}>
      <View texts={texts} changed={changed} onChange={change} />
      {save.isError && (
        <Alert color="danger" icon={<IconAlertCircle size={18} />} role="alert" mt="md">
          {problem}
        </Alert>
      )}
      <div className={pageClasses.foot}>
        {changed.length > 0 && (
          <Button variant="default" onClick={() => setDraft({})}>
            {t("ratios.discard")}
          </Button>
        )}
        <Button
          variant={changed.length > 0 ? "filled" : "default"}
          aria-label={t("saveSection", { section: t("ratios.title") })}
          onClick={submit}
        >
          {t("common:save")}
        </Button>
      </div>
      {isAsking && (
        <RatioChangesDialog
          before={before}
          after={texts}
          changed={changed}
          isSaving={save.isPending}
          onSave={onConfirm}
          onClose={() => setIsAsking(false)}
        />
      )}
    </Card>
  );
}
