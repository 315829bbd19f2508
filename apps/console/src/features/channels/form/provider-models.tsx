import { Button } from "@mantine/core";
import { IconCloudDownload } from "@tabler/icons-react";
import { useRef } from "react";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import type { ChannelFormState } from "./channel-form-model.ts";
import { compareModels, withModels } from "./models/model-names.ts";
import classes from "./models-section.module.css";
import type { FetchedModels } from "./use-fetched-models.ts";

const NAMES_SHOWN = 40;

interface DifferenceProps {
  label: string;
  models: readonly string[];
  action: string;
  onSelect(): void;
}

function Difference({ label, models, action, onSelect }: DifferenceProps) {
  const { t } = useTranslation("channel-form");
  if (models.length === 0) return null;
  const rest = models.length - NAMES_SHOWN;
  return (
    <div className={classes.difference}>
      <span>
        <strong>{label}</strong> {models.slice(0, NAMES_SHOWN).join(", ")}
        {rest > 0 && ` ${t("form.ask.more", { count: rest })}`}
      </span>
      <Button variant="default" size="compact-xs" onClick={onSelect}>
        {action}
      </Button>
    </div>
  );
}

interface ProviderModelsProps {
  form: ChannelFormState;
  fetched: FetchedModels;
}

export function ProviderModels({ form, fetched }: ProviderModelsProps) {
  const { t } = useTranslation("channel-form");
  const { models, model_mapping: mapping } = form.values;
  const { listed } = fetched;
  const difference = listed === undefined ? undefined : compareModels(models, mapping, listed);
  const button = useRef<HTMLButtonElement>(null);
  const setModels = (chosen: readonly string[]) => {
    form.setFieldValue("models", [...chosen]);
    // The pressed button vanishes with its result.
    button.current?.focus({ preventScroll: true });
  };
  return (
    <>
      <Button
        ref={button}
        variant="default"
        size="xs"
        leftSection={<IconCloudDownload size={14} />}
        loading={fetched.isPending}
        onClick={fetched.fetchNow}
      >
        {t("form.ask.action")}
      </Button>
      {difference !== undefined && listed !== undefined && (
        <div className={classes.asked} role="status">
          <p>{t("form.ask.listed", { count: listed.length })}</p>
          <Difference
            label={t("form.ask.new", { count: difference.added.length })}
            models={difference.added}
            action={t("form.ask.add")}
            onSelect={() => setModels(withModels(models, difference.added))}
          />
          <Difference
            label={t("form.ask.gone", { count: difference.gone.length })}
            models={difference.gone}
            action={t("form.ask.remove")}
            onSelect={() => setModels(models.filter((model) => !difference.gone.includes(model)))}
          />
          {difference.added.length === 0 && difference.gone.length === 0 && <p>{t("form.ask.same")}</p>}
        </div>
      )}
    </>
  );
}
