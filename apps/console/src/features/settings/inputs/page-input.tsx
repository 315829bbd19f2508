import { Button, Textarea } from "@mantine/core";
import { IconEye, IconEyeOff } from "@tabler/icons-react";
import { useState } from "react";
import { ScrollBox } from "../../../components/boxes/scroll-box.tsx";
import { SafeContent } from "../../../components/content/safe-content.tsx";
import { SetContent } from "../../../components/content/set-content.tsx";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import classes from "./page-input.module.css";

interface PageInputProps {
  label: string;
  description: string | undefined;
  error: string | false;
  /** Form of the preview: Markdown or HTML in a dialog, a page that may be a framed address, or HTML in one line. */
  preview: "document" | "page" | "line";
  value: string;
  onChange(value: string): void;
}

function Preview({ preview, value, label }: Pick<PageInputProps, "preview" | "value" | "label">) {
  const { t } = useTranslation("settings");
  if (value.trim() === "") return <p className={classes.nothing}>{t("preview.nothing")}</p>;
  if (preview === "page") return <SetContent content={value} title={label} />;
  return <SafeContent content={value} format={preview === "line" ? "html" : "markdown"} />;
}

export function PageInput({ preview, label, description, error, value, onChange }: PageInputProps) {
  const { t } = useTranslation("settings");
  const [isShown, setIsShown] = useState(false);
  return (
    <div className={classes.page}>
      <Textarea
        label={label}
        description={description}
        error={error}
        autosize
        minRows={preview === "line" ? 2 : 5}
        maxRows={18}
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <Button
        className={classes.toggle ?? ""}
        size="compact-sm"
        variant="subtle"
        leftSection={isShown ? <IconEyeOff size={16} /> : <IconEye size={16} />}
        aria-expanded={isShown}
        aria-label={t(isShown ? "preview.hideOf" : "preview.showOf", { name: label })}
        onClick={() => setIsShown(!isShown)}
      >
        {t(isShown ? "preview.hide" : "preview.show")}
      </Button>
      {isShown && (
        <ScrollBox label={t("preview.of", { name: label })} className={classes.preview}>
          <Preview preview={preview} value={value} label={label} />
        </ScrollBox>
      )}
    </div>
  );
}
