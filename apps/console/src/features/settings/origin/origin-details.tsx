import { Button, Text } from "@mantine/core";
import { ErrorAlert } from "../../../components/boxes/error-alert.tsx";
import { Facts } from "../../../components/boxes/facts.tsx";
import { QuotaText } from "../../../components/quota-text.tsx";
import { TextLink } from "../../../components/text-link.tsx";
import { TimeText } from "../../../components/time-text.tsx";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { toastSuccess } from "../../../lib/toasts/toasts.ts";
import type { SectionField } from "../option-sections.ts";
import { useOptionChanges, useSaveOptions } from "../system/option-queries.ts";
import type { SavedOptions } from "../system/system-options.ts";
import { useConfirmOptions } from "../system/use-confirm-options.ts";
import classes from "./option-origin.module.css";

export interface OriginProps {
  optionKey: string;
  label: string;
  saved: SavedOptions;
  /** How the option is edited; left out for a switch. */
  field?: SectionField;
  /** Resets the field's text after the default was restored. */
  onReset?: () => void;
  /** Puts the default into a draft that is saved by a button of its own; left out, it is saved at once. */
  onDefault?: (value: string) => void;
}

/** A default as the field would show it. */
function DefaultValue({ field, value }: { field: SectionField | undefined; value: string }) {
  const { t } = useTranslation("settings");
  if (value === "") return <span className={classes.quiet}>{t("origin.empty")}</span>;
  if (value === "true" || value === "false") return t(`origin.${value}`);
  if (field?.kind === "quota") return <QuotaText quota={Number(value)} />;
  if (field?.kind === "choice") {
    const choice = field.choices.find((known) => known === value);
    if (choice !== undefined) return t(`choices.${choice}`);
  }
  return <span className={classes.value}>{value}</span>;
}

function ChangeOf({ optionKey }: { optionKey: string }) {
  const { t } = useTranslation("settings");
  const { data: changes, isPending } = useOptionChanges();
  const change = changes?.find(({ key }) => key === optionKey);
  if (isPending) return "…";
  if (change === undefined) return <span className={classes.quiet}>{t("origin.unknown")}</span>;
  const { actor_name: name, changed_at: time } = change;
  return (
    <>
      {name !== "" && <span className={classes.value}>{name} · </span>}
      <TextLink to="/audit" search={{ object: `option:${optionKey}` }} inherit>
        <TimeText time={time} />
      </TextLink>
    </>
  );
}

/** Default of an option, its last change, and a reset. For secrets only the last change. */
export function OriginDetails(props: OriginProps & { onDone(): void }) {
  const { optionKey, field, saved, onReset, onDefault, onDone } = props;
  const { t } = useTranslation("settings", "common");
  const mayChange = useConfirmOptions(saved);
  const save = useSaveOptions();
  const preset = saved.secrets.includes(optionKey) ? undefined : saved.defaults[optionKey];
  const putBack = async (value: string) => {
    if (onDefault !== undefined) {
      onDefault(value);
      return onDone();
    }
    const changes = [{ key: optionKey, value }];
    if (!(await mayChange(changes))) return;
    const onSuccess = () => {
      onReset?.();
      onDone();
      toastSuccess(t("common:operationCompleted"));
    };
    save.mutate(changes, { onSuccess });
  };
  return (
    <>
      {preset === undefined && <Text size="sm">{t("origin.secretText")}</Text>}
      <Facts
        layout="lines"
        facts={[
          preset !== undefined && { label: t("origin.default"), value: <DefaultValue field={field} value={preset} /> },
          { label: t("origin.changedBy"), value: <ChangeOf optionKey={optionKey} /> },
        ]}
      />
      <ErrorAlert error={save.error} mt="sm" />
      {preset !== undefined && (
        <Button
          className={classes.back ?? ""}
          size="xs"
          variant="default"
          loading={save.isPending}
          data-autofocus
          onClick={() => void putBack(preset)}
        >
          {t("origin.back")}
        </Button>
      )}
    </>
  );
}
