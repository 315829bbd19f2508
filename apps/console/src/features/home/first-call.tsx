import { useState } from "react";
import { useTranslation } from "react-i18next";
import { CodeBlock } from "../../components/code-block.tsx";
import { useExampleModel } from "./api/use-example-model.ts";
import { callExamples } from "./call-examples.ts";
import classes from "./first-call.module.css";
import { useApiAddress } from "./use-api-address.ts";

const languages = ["curl", "Python", "JavaScript"] as const;

/** Copyable first calls with this system's address. */
export function FirstCall() {
  const { t } = useTranslation("home");
  const [language, setLanguage] = useState<(typeof languages)[number]>("curl");
  const examples = callExamples({ address: useApiAddress(), model: useExampleModel(), prompt: t("call.prompt") });
  return (
    <section className={classes.call} aria-labelledby="first-call">
      <div className={classes.head}>
        <div className={classes.texts}>
          <h2 id="first-call" className={classes.heading}>
            {t("call.heading")}
          </h2>
          <p className={classes.hint}>{t("call.hint")}</p>
        </div>
        <div className={classes.languages} role="group" aria-label={t("call.language")}>
          {languages.map((name) => (
            <button
              key={name}
              type="button"
              className={classes.language}
              aria-pressed={name === language}
              onClick={() => setLanguage(name)}
            >
              {name}
            </button>
          ))}
        </div>
      </div>
      <CodeBlock code={examples[language]} label={t("call.copy")} />
    </section>
  );
}
