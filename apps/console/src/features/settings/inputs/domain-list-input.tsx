import { Button, Text, TextInput } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useId, useRef, useState } from "react";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import classes from "../options/options.module.css";

interface DomainListInputProps {
  label: string;
  placeholder: string;
  /** Comma-separated. */
  value: string;
  error: string | false;
  onChange(value: string): void;
}

function DomainButtons({ domains, onRemove }: { domains: readonly string[]; onRemove(domain: string): void }) {
  const { t } = useTranslation("settings");
  return (
    <div className={classes.domains}>
      {domains.map((domain) => (
        <Button
          key={domain}
          size="xs"
          variant="default"
          rightSection={<IconX size={14} aria-hidden="true" />}
          aria-label={t("removeDomain", { domain })}
          onClick={() => onRemove(domain)}
        >
          {domain}
        </Button>
      ))}
    </div>
  );
}

/** List of domains: a field adds one, a button removes one. */
export function DomainListInput({ label, placeholder, value, error, onChange }: DomainListInputProps) {
  const { t } = useTranslation("settings", "common");
  const [typed, setTyped] = useState("");
  const input = useRef<HTMLInputElement>(null);
  const hintId = useId();
  const domains = value.split(",").filter((domain) => domain !== "");
  const add = () => {
    const domain = typed.trim().toLowerCase();
    if (domain !== "" && !domains.includes(domain)) onChange([...domains, domain].join(","));
    setTyped("");
  };
  const remove = (domain: string) => {
    onChange(domains.filter((other) => other !== domain).join(","));
    // Its button goes, and with it the focus.
    input.current?.focus();
  };
  return (
    <div className={classes.wide}>
      <DomainButtons domains={domains} onRemove={remove} />
      <div className={classes.line}>
        <TextInput
          ref={input}
          className={classes.mail ?? ""}
          label={label}
          error={error}
          aria-describedby={hintId}
          placeholder={placeholder}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            // Enter adds the domain; it does not save the section.
            event.preventDefault();
            add();
          }}
        />
        <Button variant="default" onClick={add}>
          {t("common:add")}
        </Button>
      </div>
      <Text id={hintId} mt="2xs" size="xs" c="dimmed">
        {t("domainsHint")}
      </Text>
    </div>
  );
}
