import { Alert } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { TextLink } from "../../../components/text-link.tsx";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { useIsRoot } from "../../../lib/state/session.ts";
import { alertTargetsQuery } from "./alert-rule-queries.ts";

export interface Target {
  /** Id of a receiver; 0 for the viewer's mail. */
  readonly value: number;
  readonly label: string;
}

/** Returns where alerts can go; undefined until it is known. */
export function useTargets(): readonly Target[] | undefined {
  const { t } = useTranslation("notifications");
  const { data } = useQuery(alertTargetsQuery);
  if (data === undefined) return undefined;
  const { email, can_mail: canMail, receivers } = data;
  const mail = email !== "" && canMail ? [{ value: 0, label: t("rules.mail", { email }) }] : [];
  return [...receivers.map(({ id, name, kind }) => ({ value: id, label: `${name} · ${t(`kinds.${kind}`)}` })), ...mail];
}

/** Says what is missing before an alert can be sent. */
export function NoTarget() {
  const { t } = useTranslation("notifications");
  const isRoot = useIsRoot();
  const { data } = useQuery(alertTargetsQuery);
  const isMailReady = data?.can_mail === true;
  return (
    <Alert mt="sm" title={t("rules.noTarget.title")}>
      {isMailReady ? t("rules.noTarget.noAddress") : t(isRoot ? "rules.noTarget.root" : "rules.noTarget.noMail")}{" "}
      {isMailReady && <TextLink to="/setting">{t("rules.noTarget.toProfile")}</TextLink>}
      {!isMailReady && isRoot && <TextLink to="/notifications/add">{t("rules.noTarget.toReceivers")}</TextLink>}
    </Alert>
  );
}
