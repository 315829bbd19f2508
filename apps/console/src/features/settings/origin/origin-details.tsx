import { Button, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { ErrorAlert } from "../../../components/boxes/error-alert.tsx";
import { Facts } from "../../../components/boxes/facts.tsx";
import { callApi } from "../../../lib/api/api-client.ts";
import { lazyPart } from "../../../lib/loading/later-part.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { toastSuccess } from "../../../lib/toasts/toasts.ts";
import type { SavedOptions } from "../options/option-draft.ts";
import { useSaveOptions } from "../options/option-queries.ts";
import type { SectionField } from "../fields/shown-section.ts";
import { useConfirmOptions } from "../options/use-confirm-options.ts";
import classes from "./option-origin.module.css";
import { OptionValue } from "./option-value.tsx";

const OptionHistory = lazyPart(() => import("./option-history.tsx"));

export interface OriginProps {
  optionKey: string;
  label: string;
  saved: SavedOptions;
  field?: SectionField;
  /** Discards the field's typed text after another value was saved. */
  onReset?: () => void;
  /** Puts an earlier value into a draft that is reviewed before it is saved; left out, it is saved at once. */
  onValue?: (value: string) => void;
}

/** Sets an option to an earlier value: its default, or the one before a change. */
function useRestore({ optionKey, saved, onReset, onValue, onDone }: OriginProps & { onDone(): void }) {
  const { t } = useTranslation("common");
  const mayChange = useConfirmOptions(saved);
  const save = useSaveOptions();
  const restore = async (value: string) => {
    if (onValue !== undefined) {
      onValue(value);
      return onDone();
    }
    const changes = [{ key: optionKey, value }];
    if (!(await mayChange(changes))) return;
    const onSuccess = () => {
      onReset?.();
      onDone();
      toastSuccess(t("operationCompleted"));
    };
    save.mutate(changes, { onSuccess });
  };
  const revert = useMutation({
    mutationFn: (id: number) => callApi("GET /api/audit/options/:key/:id", { params: { key: optionKey, id } }),
    meta: { shownInPlace: true },
    onSuccess: ({ value }) => restore(value),
  });
  const reverting = revert.isPending || (save.isPending && revert.isSuccess) ? revert.variables : undefined;
  return { restore, revert: revert.mutate, reverting, isSaving: save.isPending, error: save.error ?? revert.error };
}

/** Default of an option, and its last changes; restores the default and earlier values. Nothing of a secret's values. */
export function OriginDetails(props: OriginProps & { onDone(): void }) {
  const { optionKey, field, saved } = props;
  const { t } = useTranslation("settings");
  const { restore, revert, reverting, isSaving, error } = useRestore(props);
  const preset = saved.defaults[optionKey];
  const isDefault = preset === saved.values[optionKey];
  return (
    <>
      {saved.secrets.includes(optionKey) && <Text size="sm">{t("origin.secretText")}</Text>}
      {preset !== undefined && (
        <Facts
          layout="lines"
          facts={[{ label: t("origin.default"), value: <OptionValue field={field} value={preset} /> }]}
        />
      )}
      <ErrorAlert error={error} mt="sm" />
      {preset !== undefined && !isDefault && (
        <Button
          className={classes.back ?? ""}
          size="xs"
          variant="default"
          loading={isSaving && reverting === undefined}
          data-autofocus
          onClick={() => void restore(preset)}
        >
          {t("origin.back")}
        </Button>
      )}
      <OptionHistory optionKey={optionKey} field={field} reverting={reverting} onRevert={revert} />
    </>
  );
}
