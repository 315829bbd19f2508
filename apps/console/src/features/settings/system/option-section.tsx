import { Alert, Button, Checkbox, PasswordInput, TextInput } from "@mantine/core";
import { IconAlertCircle } from "@tabler/icons-react";
import { type ReactNode, type SyntheticEvent, useEffect, useState } from "react";
import { Card } from "../../../components/boxes/card.tsx";
import { useConfirm } from "../../../components/dialogs/confirm.tsx";
import { useErrorText } from "../../../lib/api/error-text.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { watchUnsaved } from "../../../lib/state/unsaved-work.ts";
import { toastSuccess } from "../../../lib/toasts.ts";
import classes from "../settings-page.module.css";
import { DomainListInput } from "./domain-list-input.tsx";
import { useSaveOptions } from "./option-queries.ts";
import {
  changedOptions,
  type Draft,
  type SavedOptions,
  secretsToRetype,
  type SystemField,
  type SystemSection,
  type SystemSwitch,
} from "./system-options.ts";

interface FieldProps {
  field: SystemField;
  value: string;
  isSet: boolean;
  error: string | false;
  onChange(value: string): void;
}

/** The input of one option. */
function OptionInput({ field, value, isSet, error, onChange }: FieldProps) {
  const { t } = useTranslation("settings");
  const label = t(`fields.${field.key}`);
  const placeholder = "placeholder" in field ? field.placeholder : "";
  if (field.kind === "list")
    return <DomainListInput label={label} placeholder={placeholder} value={value} onChange={onChange} />;
  const input = {
    label,
    value,
    error,
    autoComplete: "off",
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  };
  if (field.kind !== "secret")
    return <TextInput {...input} placeholder={placeholder} inputMode={field.kind === "number" ? "numeric" : "text"} />;
  return (
    <PasswordInput
      {...input}
      autoComplete="new-password"
      placeholder={isSet ? t("secretSet") : placeholder}
      visibilityToggleButtonProps={{ "aria-label": t("showSecret") }}
    />
  );
}

/** The switches of a section; each saves at once. */
function OptionSwitches({ switches, saved }: { switches: readonly SystemSwitch[]; saved: SavedOptions }) {
  const { t } = useTranslation("settings", "common");
  const confirm = useConfirm();
  const save = useSaveOptions();
  const problem = useErrorText(save.error);
  const flip = async (key: SystemSwitch, isOn: boolean) => {
    if (key === "PasswordLoginEnabled" && !isOn) {
      const confirmation = {
        title: t("passwordLoginOff.title"),
        message: t("passwordLoginOff.message"),
        confirmLabel: t("passwordLoginOff.confirm"),
        tone: "danger",
      } as const;
      if (!(await confirm(confirmation))) return;
    }
    save.mutate([{ key, value: String(isOn) }], { onSuccess: () => toastSuccess(t("common:operationCompleted")) });
  };
  return (
    <>
      <div className={classes.fields}>
        {switches.map((key) => (
          <Checkbox
            key={key}
            label={t(`fields.${key}`)}
            checked={saved.values[key] === "true"}
            disabled={save.isPending}
            onChange={(event) => void flip(key, event.currentTarget.checked)}
          />
        ))}
      </div>
      {save.isError && <Problem>{problem}</Problem>}
    </>
  );
}

function Problem({ children }: { children: ReactNode }) {
  return (
    <Alert color="danger" icon={<IconAlertCircle size={18} />} role="alert" mt="md">
      {children}
    </Alert>
  );
}

interface OptionSectionCardProps {
  section: SystemSection;
  saved: SavedOptions;
  /** Says why what was typed cannot be saved as things stand; undefined when it can. */
  refuse?: () => string | undefined;
  /** Is told what is typed. */
  onDraft?: (draft: Draft) => void;
  /** Beside the save button. */
  extra?: ReactNode;
}

/** One section of options: switches, fields, and a button that saves what changed. */
export function OptionSectionCard({ section, saved, refuse, onDraft, extra }: OptionSectionCardProps) {
  const { t } = useTranslation("settings", "common");
  const [draft, setDraft] = useState<Draft>({});
  const [problemOfInput, setProblemOfInput] = useState<string>();
  const [retype, setRetype] = useState<readonly string[]>([]);
  const save = useSaveOptions();
  const problem = useErrorText(save.error);
  const changes = changedOptions(section.fields, draft, saved);
  useEffect(() => watchUnsaved(() => changes.length > 0));
  const change = (next: Draft) => {
    setDraft(next);
    setRetype([]);
    setProblemOfInput(undefined);
    onDraft?.(next);
    if (save.isError) save.reset();
  };
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    const missing = secretsToRetype(section.fields, draft, saved);
    setRetype(missing);
    const refusal = changes.length === 0 ? undefined : refuse?.();
    setProblemOfInput(refusal);
    if (changes.length === 0 || missing.length > 0 || refusal !== undefined) return;
    save.mutate(changes, {
      onSuccess: () => {
        change({});
        toastSuccess(t("common:operationCompleted"));
      },
    });
  };
  return (
    <Card title={t(`sections.${section.id}.title`)} description={t(`sections.${section.id}.text`)}>
      {section.switches.length > 0 && <OptionSwitches switches={section.switches} saved={saved} />}
      {section.fields.length > 0 && (
        <form onSubmit={submit} noValidate>
          <div className={classes.fields}>
            {section.fields.map((field) => (
              <OptionInput
                key={field.key}
                field={field}
                value={draft[field.key] ?? saved.values[field.key] ?? ""}
                isSet={saved.secrets.includes(field.key)}
                error={retype.includes(field.key) && t("retypeSecret")}
                onChange={(value) => change({ ...draft, [field.key]: value })}
              />
            ))}
          </div>
          {save.isError && <Problem>{problem}</Problem>}
          {problemOfInput !== undefined && <Problem>{problemOfInput}</Problem>}
          <div className={classes.foot}>
            {extra}
            <Button
              type="submit"
              variant={changes.length > 0 ? "filled" : "default"}
              loading={save.isPending}
              aria-label={t("saveSection", { section: t(`sections.${section.id}.title`) })}
            >
              {t("common:save")}
            </Button>
          </div>
        </form>
      )}
    </Card>
  );
}
