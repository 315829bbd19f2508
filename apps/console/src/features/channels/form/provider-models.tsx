import { Button } from "@mantine/core";
import type { Channel } from "@one-api/contract/channels/channel";
import { IconCloudDownload } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import { callApi } from "../../../lib/api/api-client.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { askModelsPayload, type ChannelFormState, type ChannelValues } from "./channel-form-model.ts";
import { compareModels, withModels } from "./model-names.ts";
import classes from "./models-input.module.css";

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
  /** Absent for a new channel. */
  stored: Channel | undefined;
}

/** Fetches the provider's models with the typed or stored key, and shows missing and removed ones. */
export function ProviderModels({ form, stored }: ProviderModelsProps) {
  const { t } = useTranslation("channel-form");
  const ask = useMutation({
    mutationFn: (values: ChannelValues) =>
      callApi("POST /api/channel/models/ask", { body: askModelsPayload(values, stored) }),
  });
  const { models, model_mapping: mapping } = form.values;
  const listed = ask.data?.models;
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
        loading={ask.isPending}
        onClick={() => ask.mutate(form.values)}
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
