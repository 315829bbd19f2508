import { NumberInput, Stack, Text } from "@mantine/core";
import { CHANNEL_LIMITS } from "@one-api/contract/channels/channel-constants";
import { type BulkFields, bulkFieldsSchema } from "@one-api/contract/channels/channel-bulk";
import { joinList } from "@one-api/contract/texts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { FormDialog } from "../../../components/dialogs/form-dialog.tsx";
import { ChoiceListInput } from "../../../components/form/list-inputs.tsx";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { refusalOf } from "../../../lib/validate-form.ts";
import { typedNumber } from "../../../lib/values/typed-number.ts";
import { groupsQuery, tagsQuery } from "../channel-queries.ts";
import { TagsField } from "../tags-field.tsx";

interface EditedFields {
  group: string[];
  priority: number | string;
  weight: number | string;
  added: string[];
  removed: string[];
}

const NOTHING: EditedFields = { group: [], priority: "", weight: "", added: [], removed: [] };

function fieldsOf({ group, priority, weight, added, removed }: EditedFields): BulkFields {
  return {
    ...(group.length === 0 ? {} : { group: joinList(group) }),
    ...(priority === "" ? {} : { priority: typedNumber(priority) }),
    ...(weight === "" ? {} : { weight: typedNumber(weight) }),
    ...(added.length === 0 ? {} : { add_tags: joinList(added) }),
    ...(removed.length === 0 ? {} : { remove_tags: joinList(removed) }),
  };
}

interface FieldsProps {
  values: EditedFields;
  onChange(patch: Partial<EditedFields>): void;
}

function RoutingFields({ values, onChange }: FieldsProps) {
  const { t } = useTranslation("channel-bulk");
  const groups = useQuery(groupsQuery);
  return (
    <>
      <ChoiceListInput
        label={t("edit.group")}
        description={t("edit.groupHint")}
        data={[...new Set(["default", ...(groups.data ?? [])])]}
        value={values.group}
        onChange={(group) => onChange({ group })}
      />
      <NumberInput
        label={t("edit.priority")}
        allowDecimal={false}
        min={CHANNEL_LIMITS.lowestPriority}
        max={CHANNEL_LIMITS.priority}
        value={values.priority}
        onChange={(priority) => onChange({ priority })}
      />
      <NumberInput
        label={t("edit.weight")}
        allowDecimal={false}
        allowNegative={false}
        max={CHANNEL_LIMITS.weight}
        value={values.weight}
        onChange={(weight) => onChange({ weight })}
      />
    </>
  );
}

function TagFields({ values, onChange }: FieldsProps) {
  const { t } = useTranslation("channel-bulk");
  const tags = useQuery(tagsQuery);
  const known = (tags.data ?? []).map(({ tag }) => tag);
  return (
    <>
      <TagsField
        label={t("edit.addTags")}
        data={known}
        value={values.added}
        onChange={(added) => onChange({ added })}
      />
      {known.length > 0 && (
        <ChoiceListInput
          label={t("edit.removeTags")}
          data={known}
          value={values.removed}
          onChange={(removed) => onChange({ removed })}
        />
      )}
    </>
  );
}

interface BulkEditDialogProps {
  count: number;
  onClose(): void;
  onSubmit(fields: BulkFields): void;
}

export function BulkEditDialog({ count, onClose, onSubmit }: BulkEditDialogProps) {
  const { t } = useTranslation("channel-bulk");
  const [values, setValues] = useState(NOTHING);
  const change = (patch: Partial<EditedFields>) => setValues((before) => ({ ...before, ...patch }));
  const fields = fieldsOf(values);
  const refusal = refusalOf(bulkFieldsSchema, fields);
  return (
    <FormDialog
      title={t("edit.title", { count })}
      submitLabel={t("edit.submit", { count })}
      canSubmit={Object.keys(fields).length > 0 && refusal === undefined}
      error={refusal ?? null}
      onClose={onClose}
      onSubmit={() => onSubmit(fields)}
    >
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {t("edit.hint")}
        </Text>
        <RoutingFields values={values} onChange={change} />
        <TagFields values={values} onChange={change} />
      </Stack>
    </FormDialog>
  );
}
