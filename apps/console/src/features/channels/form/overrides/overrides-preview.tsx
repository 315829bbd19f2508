import { findOverrideProblem, parseOverrides } from "@one-api/contract/channels/overrides/overrides";
import { useTranslation } from "../../../../lib/i18n/use-translation.ts";
import classes from "./overrides.module.css";
import { previewLines, type PreviewLine } from "./preview-lines.ts";

const MARKS = { same: " ", gone: "−", new: "+" } as const;

function Lines({ title, lines }: { title: string; lines: readonly PreviewLine[] }) {
  const { t } = useTranslation("channel-form");
  const words = { same: "", gone: t("overrides.removed"), new: t("overrides.added") };
  return (
    <div>
      <p className={classes.title}>{title}</p>
      <ul className={classes.lines} aria-label={title}>
        {lines.map(({ change, text }) => (
          <li key={`${change} ${text}`} data-change={change}>
            <span className={classes.mark} aria-hidden>
              {MARKS[change]}
            </span>
            {change !== "same" && <span className="visually-hidden">{words[change]} </span>}
            {text}
          </li>
        ))}
      </ul>
    </div>
  );
}

export function OverridesPreview({ text, model }: { text: string; model: string }) {
  const { t } = useTranslation("channel-form");
  const problem = findOverrideProblem(text);
  if (problem !== undefined)
    return (
      <p className={classes.problem} role="status">
        {t(`overrides.problems.${problem.code}`, { name: problem.name })}
      </p>
    );
  if (text.trim() === "") return null;
  const { headers, body } = previewLines(parseOverrides(text) ?? {}, model);
  return (
    <section className={classes.preview} aria-label={t("overrides.preview")}>
      <p className={classes.note}>{t("overrides.previewHint")}</p>
      <Lines title={t("overrides.headers")} lines={headers} />
      <Lines title={t("overrides.body")} lines={body} />
    </section>
  );
}
