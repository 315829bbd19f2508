import { Skeleton } from "@mantine/core";
import type { ForeignToken, ManagedUser } from "@one-api/contract/accounts/user-management";
import { useQuery } from "@tanstack/react-query";
import { ButtonLink } from "../../../components/buttons/button-link.tsx";
import { Facts } from "../../../components/boxes/facts.tsx";
import { Stat, Stats } from "../../../components/boxes/stat.tsx";
import { ListError } from "../../../components/data-table/list-error.tsx";
import { Sheet } from "../../../components/dialogs/sheet.tsx";
import { QuotaText } from "../../../components/quota-text.tsx";
import { TextLink } from "../../../components/text-link.tsx";
import { TimeText } from "../../../components/time-text.tsx";
import { formatInteger } from "../../../lib/format.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { TokenStatus } from "../../tokens/token-columns.tsx";
import { UserGroups, UserRole, UserStatus } from "../user-looks.tsx";
import { spentByUserQuery, tokensOfUserQuery, TOKENS_SHOWN } from "./user-sheet-queries.ts";
import classes from "./user-sheet.module.css";

function Money({ user }: { user: ManagedUser }) {
  const { t, language } = useTranslation("users");
  const spent = useQuery(spentByUserQuery(user.username));
  return (
    <Stats>
      <Stat label={t("columns.quota")}>
        <QuotaText quota={user.quota} />
      </Stat>
      <Stat label={t("sheet.spentMonth")}>
        {spent.data === undefined ? (
          spent.isError ? (
            "–"
          ) : (
            <Skeleton height={20} width={72} />
          )
        ) : (
          <QuotaText quota={spent.data.quota} />
        )}
      </Stat>
      <Stat label={t("columns.used")}>
        <QuotaText quota={user.used_quota} />
      </Stat>
      <Stat label={t("columns.requests")}>{formatInteger(user.request_count, language)}</Stat>
    </Stats>
  );
}

function TokenLine({ token, username }: { token: ForeignToken; username: string }) {
  const { t } = useTranslation("users", "tokens");
  return (
    <li className={classes.token}>
      <TextLink
        className={classes.name ?? ""}
        to="/log"
        search={{ username, token_name: token.name }}
        title={t("sheet.tokenLogs")}
      >
        {token.name}
      </TextLink>
      <TokenStatus status={token.status} />
      <span className={classes.numbers}>
        <span>
          {t("columns.used")} <QuotaText quota={token.used_quota} />
        </span>
        <span>
          {t("columns.quota")}{" "}
          {token.unlimited_quota ? t("tokens:unlimited") : <QuotaText quota={token.remain_quota} />}
        </span>
        <span>
          {t("tokens:columns.lastUsed")} <TimeText time={token.accessed_time} never={t("tokens:neverUsed")} />
        </span>
      </span>
    </li>
  );
}

/** The user's tokens, each leading to its entries of the log. */
function Tokens({ user }: { user: ManagedUser }) {
  const { t } = useTranslation("users");
  const tokens = useQuery(tokensOfUserQuery(user.id));
  if (tokens.error !== null) return <ListError error={tokens.error} onRetry={() => void tokens.refetch()} />;
  if (tokens.data === undefined) return <Skeleton height={64} />;
  const { rows, total } = tokens.data;
  return (
    <section aria-label={t("sheet.tokens", { count: total })}>
      <h3>{t("sheet.tokens", { count: total })}</h3>
      {rows.length === 0 && <p className={classes.quiet}>{t("sheet.noTokens")}</p>}
      <ul className={classes.tokens}>
        {rows.map((token) => (
          <TokenLine key={token.id} token={token} username={user.username} />
        ))}
      </ul>
      {total > rows.length && <p className={classes.quiet}>{t("sheet.newestTokens", { count: TOKENS_SHOWN })}</p>}
    </section>
  );
}

/** A sheet with what a user has, spends and calls with. */
export default function UserSheet({ user, onClose }: { user: ManagedUser; onClose(): void }) {
  const { t } = useTranslation("users");
  const logs = (
    <ButtonLink to="/log" search={{ username: user.username }} variant="default">
      {t("logs")}
    </ButtonLink>
  );
  return (
    <Sheet opened onClose={onClose} title={user.username} foot={logs}>
      <div className={classes.sheet}>
        <Money user={user} />
        <Facts
          facts={[
            { label: t("columns.status"), value: <UserStatus status={user.status} /> },
            { label: t("columns.role"), value: <UserRole role={user.role} /> },
            { label: t("columns.group"), value: <UserGroups group={user.group} /> },
            {
              label: t("secondFactor.label"),
              value: t(user.has_second_factor ? "secondFactor.on" : "secondFactor.off"),
            },
            { label: t("columns.created"), value: <TimeText time={user.created_at} /> },
            user.display_name !== "" && { label: t("form.displayName"), value: user.display_name },
            user.email !== "" && { label: t("form.email"), value: user.email },
          ]}
        />
        <Tokens user={user} />
      </div>
    </Sheet>
  );
}
