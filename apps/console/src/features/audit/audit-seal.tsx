import { IconShieldCheck } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { ProblemAlert } from "../../components/boxes/error-alert.tsx";
import { formatTime } from "../../lib/format.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { auditSealQuery } from "./audit-queries.ts";
import classes from "./audit.module.css";

/** Problems that are named; what else there is, the command tells. */
const MOST_NAMED = 5;

/** Shows up to when the trail is sealed, and the result of the last check. */
export function AuditSeal() {
  const { t } = useTranslation("audit");
  const { data: seal } = useQuery(auditSealQuery);
  if (seal === undefined) return <p className={classes.sealed} />;
  const checkedAt = formatTime(seal.checked_at);
  if (seal.problems.length > 0) {
    return (
      <ProblemAlert className={classes.seal ?? ""} title={t("seal.broken.title")}>
        {t("seal.broken.text", { time: checkedAt })}
        <ul className={classes.problems}>
          {seal.problems.slice(0, MOST_NAMED).map(({ kind, id }) => (
            <li key={`${kind} ${id}`}>{t(`seal.problems.${kind}`, { id })}</li>
          ))}
        </ul>
      </ProblemAlert>
    );
  }
  const upTo =
    seal.sealed_up_to === 0 ? t("seal.notSealed") : t("seal.sealedUpTo", { time: formatTime(seal.sealed_up_to) });
  const checked = seal.checked_at === 0 ? [] : [t("seal.checked", { time: checkedAt })];
  return (
    <p className={classes.sealed}>
      <IconShieldCheck size={16} aria-hidden />
      {[upTo, ...checked].join(" · ")}
    </p>
  );
}
