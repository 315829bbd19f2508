import { Button } from "@mantine/core";
import { RATIO_KEYS, type RatioKey } from "@one-api/contract/prices/ratios";
import { useEffect, useState } from "react";
import { SectionCard } from "../../../../components/form/form-section.tsx";
import { ErrorAlert } from "../../../../components/boxes/error-alert.tsx";
import { useTranslation } from "../../../../lib/i18n/use-translation.ts";
import { watchUnsaved } from "../../../../lib/state/unsaved-work.ts";
import { toastSuccess } from "../../../../lib/toasts/toasts.ts";
import pageClasses from "../../settings-page.module.css";
import { useSaveOptions } from "../../system/option-queries.ts";
import type { SavedOptions } from "../../system/system-options.ts";
import { LastChange } from "../../last-change.tsx";
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

type Mode = (typeof MODES)[number];

/** Chooses between the tables and the JSON texts. */
function ModeButtons({ mode, onMode }: { mode: Mode; onMode(mode: Mode): void }) {
  const { t } = useTranslation("settings");
  return (
    <Button.Group aria-label={t("ratios.mode")}>
      {MODES.map((name) => (
        <Button
          key={name}
          size="compact-sm"
          variant={name === mode ? "light" : "default"}
          aria-pressed={name === mode}
          onClick={() => onMode(name)}
        >
          {t(`ratios.${name}`)}
        </Button>
      ))}
    </Button.Group>
  );
}

interface FootProps {
  hasChanges: boolean;
  onDiscard(): void;
  onSave(): void;
}

function SectionFoot({ hasChanges, onDiscard, onSave }: FootProps) {
  const { t } = useTranslation("settings", "common");
  return (
    <div className={pageClasses.foot}>
      {hasChanges && (
        <Button variant="default" onClick={onDiscard}>
          {t("ratios.discard")}
        </Button>
      )}
      <Button
        variant={hasChanges ? "filled" : "default"}
        aria-label={t("saveSection", { section: t("ratios.title") })}
        onClick={onSave}
      >
        {t("common:save")}
      </Button>
    </div>
  );
}

/** Ratios of models and groups, as tables or as JSON; changes are shown before saving. */
export function RatioSection({ saved }: { saved: SavedOptions }) {
  const { t } = useTranslation("settings", "common");
  const { before, texts, changed, setDraft } = useRatioDraft(saved);
  const [mode, setMode] = useState<Mode>("table");
  const [isAsking, setIsAsking] = useState(false);
  const save = useSaveOptions();
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
  const View = mode === "table" ? RatioTables : RatioJson;
  return (
    <SectionCard
      title={t("ratios.title")}
      description={t("ratios.text")}
      actions={<ModeButtons mode={mode} onMode={setMode} />}
    >
      <View saved={saved} texts={texts} changed={changed} onChange={change} />
      <ErrorAlert error={save.error} mt="md" />
      <SectionFoot hasChanges={changed.length > 0} onDiscard={() => setDraft({})} onSave={submit} />
      <LastChange keys={RATIO_KEYS} labelOf={(key) => t(`ratios.${key}`)} />
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
    </SectionCard>
  );
}
