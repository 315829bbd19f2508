import { type PriceKey } from "@one-api/contract/prices/ratios";
import { type ComponentType, type SyntheticEvent, useState } from "react";
import { ErrorAlert } from "../../../../components/boxes/error-alert.tsx";
import { useTranslation } from "../../../../lib/i18n/use-translation.ts";
import { toastSuccess } from "../../../../lib/toasts/toasts.ts";
import type { SavedOptions } from "../../options/option-draft.ts";
import { useSaveOptions } from "../../options/option-queries.ts";
import { SectionFoot } from "../../form/section-foot.tsx";
import { RatioChangesDialog } from "./ratio-changes-dialog.tsx";
import { entriesOf, type RatioTexts } from "./ratio-model.ts";
import { useRatioDraft } from "./use-ratio-draft.ts";

export interface RatioViewProps {
  saved: SavedOptions;
  texts: RatioTexts;
  changed: readonly PriceKey[];
  onChange(key: PriceKey, text: string): void;
}

interface RatioFormProps {
  saved: SavedOptions;
  View: ComponentType<RatioViewProps>;
}

/** Ratios of models and groups in one form; its changes are shown in dollars before they are saved. */
export function RatioForm({ saved, View }: RatioFormProps) {
  const { t } = useTranslation("settings", "common");
  const { before, texts, changed, changes, change, discard } = useRatioDraft(saved);
  const [isAsking, setIsAsking] = useState(false);
  const save = useSaveOptions();
  const edit = (key: PriceKey, text: string) => {
    change(key, text);
    if (save.isError) save.reset();
  };
  const onSaved = () => {
    discard();
    setIsAsking(false);
    toastSuccess(t("common:operationCompleted"));
  };
  const onConfirm = () =>
    save.mutate(
      changed.map((key) => ({ key, value: texts[key].trim() || "{}" })),
      { onSuccess: onSaved, onError: () => setIsAsking(false) },
    );
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    // Submits of dialogs that the form opens arrive here, too.
    if (event.target !== event.currentTarget) return;
    const isValid = changed.every((key) => entriesOf(key, texts[key]) !== undefined);
    if (changed.length > 0 && isValid) setIsAsking(true);
  };
  return (
    <form onSubmit={submit} noValidate>
      <View saved={saved} texts={texts} changed={changed} onChange={edit} />
      <ErrorAlert error={save.error} mt="md" />
      <SectionFoot
        section={t("sections.ratio.title")}
        changes={changes}
        isSaving={save.isPending}
        onDiscard={discard}
      />
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
    </form>
  );
}
