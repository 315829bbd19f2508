import { Button } from "@mantine/core";
import type { Channel } from "@one-api/contract/channels/channel";
import { CHANNEL_STATUS } from "@one-api/contract/channels/channel-constants";
import { channelTypeInfo } from "@one-api/contract/channels/channel-types";
import type { Model } from "@one-api/contract/prices/model";
import { splitList } from "@one-api/contract/texts";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { memo, useMemo } from "react";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { FormSection, FormWide } from "../../../components/form/form-section.tsx";
import { TextLink } from "../../../components/text-link.tsx";
import { useUnpricedOf } from "../../pricing/unpriced-models.ts";
import { allModelsQuery } from "../channel-queries.ts";
import type { ChannelFormState } from "./channel-form-model.ts";
import type { ModelFacts } from "./models/chosen-models.tsx";
import { MODEL_PRESETS, modelsOfPreset, type PresetSource, mappingOf } from "./models/model-names.ts";
import classes from "./models-section.module.css";
import { ModelsInput } from "./models/models-input.tsx";
import { ProviderModels } from "./provider-models.tsx";
import type { FetchedModels } from "./use-fetched-models.ts";

/** Typing a list of models is one question, not one per name. */
const TYPING_PAUSE_MS = 250;
const UNPRICED_SHOWN = 20;
/** More names would make the address too long. */
const MOST_ASKED = 100;

interface ModelsSectionProps {
  form: ChannelFormState;
  stored: Channel | undefined;
  related: PresetSource["related"];
  fetched: FetchedModels;
}

interface ModelPresetsProps extends Omit<ModelsSectionProps, "stored"> {
  listed: readonly string[];
  all: PresetSource["all"] | undefined;
}

function ModelPresets({ form, fetched, listed, related, all }: ModelPresetsProps) {
  const { t } = useTranslation("channel-form");
  const setModels = (models: string[]) => form.setFieldValue("models", models);
  return (
    <div className={classes.presets} role="group" aria-label={t("form.presets.label")}>
      {MODEL_PRESETS.map((preset) => (
        <Button
          key={preset}
          variant="default"
          size="xs"
          title={t(`form.presetHints.${preset}`)}
          disabled={preset === "related" ? related.length === 0 : all === undefined}
          onClick={() => setModels(modelsOfPreset(preset, { related, all: all ?? [] }))}
        >
          {t(`form.presets.${preset}`)}
        </Button>
      ))}
      {listed.length > 0 && (
        <Button variant="default" size="xs" title={t("form.presetHints.listed")} onClick={() => setModels([...listed])}>
          {t("form.presets.listed")}
        </Button>
      )}
      <ProviderModels form={form} fetched={fetched} />
      <Button variant="subtle" size="xs" disabled={form.values.models.length === 0} onClick={() => setModels([])}>
        {t("form.presets.clear")}
      </Button>
    </div>
  );
}

interface UnpricedModelsProps extends Pick<ModelPresetsProps, "all"> {
  type: number;
  chosen: readonly string[];
  mapping: string;
}

/**
 * Names the models without a known price, which callers would be charged the fallback price for. Memoized, since it
 * goes through all models.
 */
const UnpricedModels = memo(function UnpricedModels({ type, chosen, mapping, all }: UnpricedModelsProps) {
  const { t } = useTranslation("channel-form");
  const upstreamNames = new Map(Object.entries(mappingOf(mapping)));
  const [asked] = useDebouncedValue(chosen, TYPING_PAUSE_MS);
  const priced = new Set((all ?? []).flatMap(({ id, output_price: price }) => (price === null ? [] : [id])));
  const doubtful = asked.map((model) => upstreamNames.get(model) ?? model).filter((model) => !priced.has(model));
  const unpriced = new Set(useUnpricedOf(type, all === undefined ? [] : doubtful.slice(0, MOST_ASKED)));
  const models = chosen.filter((model) => unpriced.has(upstreamNames.get(model) ?? model));
  if (models.length === 0) return null;
  const names = models.slice(0, UNPRICED_SHOWN).join(", ");
  return (
    <p className={classes.unpriced} role="status">
      {t("form.unpriced", { count: models.length, models: models.length > UNPRICED_SHOWN ? `${names}, …` : names })}{" "}
      <TextLink to="/setting/ratios">{t("form.setPrices")}</TextLink>
    </p>
  );
});

/** An enabled channel is not counted among the others that serve its models. */
function factsOf(all: readonly Model[], stored: Channel | undefined): ModelFacts {
  const own = new Set(stored?.status === CHANNEL_STATUS.enabled ? splitList(stored.models) : []);
  return new Map(all.map((model) => [model.id, { ...model, channels: model.channels - Number(own.has(model.id)) }]));
}

function ModelCount({ count, needsNone }: { count: number; needsNone: boolean }) {
  const { t } = useTranslation("channel-form");
  if (count === 0) return t(needsNone ? "form.modelsHintProxy" : "form.modelsHint");
  return <span role="status">{t("form.modelCount", { count })}</span>;
}

export function ModelsSection({ form, stored, related, fetched }: ModelsSectionProps) {
  const { t } = useTranslation("channel-form");
  const listed = useMemo(() => stored?.provider_models ?? [], [stored]);
  const all = useQuery(allModelsQuery);
  const { type, models } = form.values;
  const needsNone = channelTypeInfo(type)?.needsNoModels === true;
  const suggestions = useMemo(
    () => [...new Set([...listed, ...related, ...(all.data ?? []).map((model) => model.id)])],
    [listed, related, all.data],
  );
  const facts = useMemo(() => factsOf(all.data ?? [], stored), [all.data, stored]);
  return (
    <FormSection title={t("form.models")} description={<ModelCount count={models.length} needsNone={needsNone} />}>
      <FormWide>
        <ModelPresets form={form} fetched={fetched} listed={listed} related={related} all={all.data} />
        <ModelsInput
          aria-label={t("form.modelsLabel")}
          required={!needsNone}
          suggestions={suggestions}
          facts={facts}
          {...form.getInputProps("models")}
          value={models}
          onChange={(chosen) => form.setFieldValue("models", chosen)}
        />
        <UnpricedModels type={type} chosen={models} mapping={form.values.model_mapping} all={all.data} />
      </FormWide>
    </FormSection>
  );
}
