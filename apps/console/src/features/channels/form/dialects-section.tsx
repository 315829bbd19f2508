import { Input, TextInput } from "@mantine/core";
import { CHANNEL_DIALECTS, type ChannelDialect } from "@one-api/contract/channels/channel-constants";
import { FoldedSection, FormWide } from "../../../components/form/form-section.tsx";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { fieldsOf } from "../../../lib/values/read-values.ts";
import { type ChannelFormState, hasOwn } from "./channel-form-model.ts";

const EXAMPLES: Readonly<Record<ChannelDialect, string>> = {
  openai: "https://api.example.com/v1",
  responses: "https://api.example.com/v1",
  anthropic: "https://api.example.com/anthropic",
  gemini: "https://api.example.com/gemini",
};

type Addresses = Readonly<Partial<Record<ChannelDialect, string>>>;

function readAddresses(text: string): Addresses {
  try {
    const fields = fieldsOf(JSON.parse(text));
    return Object.fromEntries(
      CHANNEL_DIALECTS.flatMap((name) => (name in fields ? [[name, String(fields[name])]] : [])),
    );
  } catch {
    return {};
  }
}

function writeAddresses(addresses: Addresses): string {
  const filled = Object.entries(addresses).filter(([, address]) => address !== "");
  return filled.length === 0 ? "" : JSON.stringify(Object.fromEntries(filled));
}

export function DialectsSection({ form }: { form: ChannelFormState }) {
  const { t } = useTranslation("channel-form");
  const addresses = readAddresses(form.values.dialect_urls);
  const error = form.errors["dialect_urls"];
  const set = (dialect: ChannelDialect, address: string) => {
    form.setFieldValue("dialect_urls", writeAddresses({ ...addresses, [dialect]: address.trim() }));
    form.clearFieldError("dialect_urls");
  };
  return (
    <FoldedSection
      title={t("dialects.title")}
      description={t("dialects.description")}
      summary={t("summaries.dialects")}
      opensItself={hasOwn(form, "dialect_urls")}
    >
      {CHANNEL_DIALECTS.map((dialect) => (
        <TextInput
          key={dialect}
          label={t(`dialects.${dialect}`)}
          placeholder={EXAMPLES[dialect]}
          type="url"
          spellCheck={false}
          autoComplete="off"
          value={addresses[dialect] ?? ""}
          error={error !== undefined && addresses[dialect] !== undefined}
          onChange={(event) => set(dialect, event.currentTarget.value)}
          onBlur={() => form.validateField("dialect_urls")}
        />
      ))}
      {error !== undefined && (
        <FormWide>
          <Input.Error>{error}</Input.Error>
        </FormWide>
      )}
    </FoldedSection>
  );
}
