import { ProblemAlert } from "../../../components/boxes/error-alert.tsx";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { WithOrigin } from "../origin/option-origin.tsx";
import type { Draft } from "../options/option-draft.ts";
import { OptionInput } from "./option-input.tsx";
import classes from "../options/options.module.css";
import { SectionFoot } from "./section-foot.tsx";
import { type SectionFormProps, useSectionForm } from "./use-section-form.ts";

function without(draft: Draft, key: string): Draft {
  return Object.fromEntries(Object.entries(draft).filter(([typed]) => typed !== key));
}

export function OptionFields(props: SectionFormProps) {
  const { section, saved } = props;
  const { t } = useTranslation("settings");
  const { form, draft, change, submit, errorOf, problems, changes, isSaving } = useSectionForm(props);
  const valueOf = (key: string) => draft[key] ?? saved.values[key] ?? "";
  // A number field reports its value again when it loses the focus: that edits nothing, and the marks of wrong fields stay.
  const edit = (key: string, value: string) => {
    if (value !== valueOf(key)) change({ ...draft, [key]: value });
  };
  return (
    <form ref={form} onSubmit={(event) => void submit(event)} noValidate>
      <div className={classes.fields} data-fields>
        {section.fields.map((field) => (
          <WithOrigin
            key={field.key}
            optionKey={field.key}
            field={field}
            label={t(`fields.${field.key}`)}
            saved={saved}
            onReset={() => change(without(draft, field.key))}
          >
            <OptionInput
              field={field}
              value={valueOf(field.key)}
              isSet={saved.secrets.includes(field.key)}
              error={errorOf(field)}
              onChange={(value) => edit(field.key, value)}
            />
          </WithOrigin>
        ))}
      </div>
      {problems.map((problem) => (
        <ProblemAlert key={problem} mt="md">
          {problem}
        </ProblemAlert>
      ))}
      <SectionFoot
        section={t(`sections.${section.id}.title`)}
        changes={changes}
        isSaving={isSaving}
        onDiscard={() => change({})}
      />
    </form>
  );
}
