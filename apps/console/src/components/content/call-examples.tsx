import { type ReactNode, useState } from "react";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { useServerAddress } from "../../lib/state/stored-status.ts";
import { CALL_LANGUAGES, type CallKind, callExamples } from "../../lib/values/call-examples.ts";
import { ChoiceButtons } from "../boxes/choice-buttons.tsx";
import { CodeBlock } from "./code-block.tsx";

interface CallExampleParts {
  readonly choice: ReactNode;
  readonly code: ReactNode;
}

/** Ready-to-run calls of a model in several languages, and the choice among them. Their texts are those of Home. */
export function useCallExamples(model: string, kind: CallKind = "chat"): CallExampleParts {
  const { t } = useTranslation("home");
  const [language, setLanguage] = useState<(typeof CALL_LANGUAGES)[number]>("curl");
  const examples = callExamples({ address: `${useServerAddress()}/v1`, model, prompt: t("call.prompt"), kind });
  return {
    choice: (
      <ChoiceButtons
        label={t("call.language")}
        choices={CALL_LANGUAGES.map((name) => ({ value: name, text: name }))}
        value={language}
        onChange={setLanguage}
      />
    ),
    code: <CodeBlock code={examples[language]} label={t("call.copy")} />,
  };
}
