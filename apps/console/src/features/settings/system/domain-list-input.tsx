import { Button, TextInput } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import classes from "../settings-page.module.css";

interface DomainListInputProps {
  label: string;
  placeholder: string;
  /** Comma-separated. */
  value: string;
  onChange(value: string): void;
}

/** A list of domains: a field that adds one, by its button or Enter, and a button for each that takes it out. */
export function DomainListInput({ label, placeholder, value, onChange }: DomainListInputProps) {
  const { t } = useTranslation("settings", "common");
  const [typed, setTyped] = useState("");
  const domains = value.split(",").filter((domain) => domain !== "");
  const add = () => {
    const domain = typed.trim().toLowerCase();
    if (domain !== "" && !domains.includes(domain)) onChange([...domains, domain].join(","));
    setTyped("");
  };
  return (
    <div className={classes.wide}>
      <div className={classes.domains}>
        {domains.map((domain) => (
          <Button
            key={domain}
            size="xs"
            variant="default"
            rightSection={<IconX size={14} aria-hidden="true" />}
            aria-label={t("removeDomain", { domain })}
            onClick={() => onChange(domains.filter((other) => other !== domain).join(","))}
          >
            {domain}
          </Button>
        ))}
      </div>
      <div className={classes.foot}>
        <TextInput
          className={classes.mail ?? ""}
          label={label}
          description={t("domainsHint")}
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
    </div>
  );
}
