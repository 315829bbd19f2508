import { Button } from "@mantine/core";
import { useState } from "react";
import { ErrorAlert } from "../../../components/boxes/error-alert.tsx";
import { SheetSection } from "../../../components/dialogs/sheet-section.tsx";
import { CodeBlock } from "../../../components/content/code-block.tsx";
import { formatInteger } from "../../../lib/format.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { useLogBodies } from "../log-queries.ts";
import classes from "./log-sheet.module.css";

/** Stored request and answer, shown on demand: others may look on, and root's access is audited. */
export function LogBodies({ id }: { id: number }) {
  const { t } = useTranslation("logs");
  const [isWanted, setIsWanted] = useState(false);
  const { data, error, isFetching } = useLogBodies(id, isWanted);
  return (
    <SheetSection title={t("bodies.title")}>
      <p className={classes.note}>{t("bodies.hint")}</p>
      <ErrorAlert error={error} />
      {data === undefined ? (
        <Button variant="default" mt="xs" loading={isFetching} onClick={() => setIsWanted(true)}>
          {t("bodies.show")}
        </Button>
      ) : (
        <>
          <Body name="request" text={data.request} bytes={data.request_bytes} isCut={data.request_is_truncated} />
          <Body name="answer" text={data.answer} bytes={data.answer_bytes} isCut={data.answer_is_truncated} />
        </>
      )}
    </SheetSection>
  );
}

interface BodyProps {
  name: "request" | "answer";
  text: string;
  /** Of all that passed. */
  bytes: number;
  isCut: boolean;
}

function Body({ name, text, bytes, isCut }: BodyProps) {
  const { t, language } = useTranslation("logs");
  return (
    <>
      <div className={classes.label}>
        {t(`bodies.${name}`)}
        {isCut && ` · ${t("bodies.cut", { size: formatInteger(bytes, language) })}`}
      </div>
      {text === "" ? (
        <p className={classes.note}>{t("bodies.nothing")}</p>
      ) : (
        <div className={classes.body}>
          <CodeBlock code={indented(text)} />
        </div>
      )}
    </>
  );
}

/** Indents JSON; other or truncated texts do not change. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}
