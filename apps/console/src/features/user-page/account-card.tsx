import { BINDING_FIELDS } from "@one-api/contract/accounts/binding";
import type { ManagedUser } from "@one-api/contract/accounts/user-management";
import { LIMIT_FIELDS } from "@one-api/contract/limits/limit-constants";
import { Card } from "../../components/boxes/card.tsx";
import { type Fact, Facts } from "../../components/boxes/facts.tsx";
import { BudgetText } from "../../components/budget-text.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { TimeText } from "../../components/time-text.tsx";
import { formatInteger } from "../../lib/format.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";

/** The limits that the account itself has; the group's hold for all others. */
function useLimitFacts(): (user: ManagedUser) => Fact[] {
  const { t, language } = useTranslation("limits");
  return (user) =>
    LIMIT_FIELDS.filter((field) => user[field] > 0).map((field) => ({
      label: t(field),
      value: formatInteger(user[field], language),
      isNumber: true,
    }));
}

export function AccountCard({ user }: { user: ManagedUser }) {
  const { t } = useTranslation("user-page", "users", "budgets", "limits", "common");
  const limits = useLimitFacts()(user);
  const linked = [
    { name: t("users:form.email"), id: user.email },
    { name: "GitHub", id: user[BINDING_FIELDS.github] },
    { name: t("users:form.wechat"), id: user[BINDING_FIELDS.wechat] },
    { name: t("users:form.lark"), id: user[BINDING_FIELDS.lark] },
    { name: "OpenID Connect", id: user[BINDING_FIELDS.oidc] },
  ].filter(({ id }) => id !== "");
  const names = linked.map(({ name, id }) => `${name} (${id})`).join(", ");
  return (
    <Card
      title={t("account.title")}
      actions={
        <TextLink to="/user/edit/$id" params={{ id: user.id }} size="sm">
          {t("common:edit")}
        </TextLink>
      }
    >
      <Facts
        layout="lines"
        facts={[
          { label: t("users:columns.created"), value: <TimeText time={user.created_at} dateOnly /> },
          {
            label: t("users:secondFactor.label"),
            value: t(user.has_second_factor ? "users:secondFactor.on" : "users:secondFactor.off"),
          },
          { label: t("users:form.bound"), value: names === "" ? t("users:form.notBound") : names },
          {
            label: t("budgets:title"),
            value: user.budget === null ? t("account.noBudget") : <BudgetText budget={user.budget} />,
          },
          limits.length === 0 && { label: t("limits:titleOfUser"), value: t("account.groupLimits") },
          ...limits,
        ]}
      />
    </Card>
  );
}
