import { Button, Skeleton, TextInput } from "@mantine/core";
import { redeemInputSchema } from "@one-api/contract/redemption";
import { REDEMPTION_LIMITS } from "@one-api/contract/redemption-constants";
import { IconExternalLink } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { Card } from "../../components/boxes/card.tsx";
import { Stat, Stats } from "../../components/boxes/stat.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { QuotaText } from "../../components/quota-text.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { callApi } from "../../lib/api/api-client.ts";
import { ApiError } from "../../lib/api/api-error.ts";
import { showError } from "../../lib/api/show-error.ts";
import { useErrorText } from "../../lib/api/error-text.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { lazyPart } from "../../lib/loading/later-part.ts";
import { useIsAdmin } from "../../lib/state/session.ts";
import { useStoredStatus } from "../../lib/state/stored-status.ts";
import { watchUnsaved } from "../../lib/state/unsaved-work.ts";
import { toastError, toastInfo, toastSuccess, toastWarning } from "../../lib/toasts/toasts.ts";
import { useFormatQuota } from "../../lib/use-format-quota.ts";
import { isAccepted } from "../../lib/validate-form.ts";
import { webAddress } from "../../lib/values/web-address.ts";
import { selfQuery } from "../profile/self-queries.ts";
import { GroupBudgetNotice } from "./balance-notice.tsx";
import classes from "./topup-page.module.css";

const OwnForecast = lazyPart(() => import("./own-forecast.tsx"), ["dashboard"]);

const OwnSpend = lazyPart(() => import("./own-spend.tsx"), ["dashboard"]);

const OwnSpendChart = lazyPart(() => import("./own-spend-chart.tsx"), ["dashboard"]);

const OwnTopUps = lazyPart(() => import("./own-top-ups.tsx"), ["logs", "channel-reasons"]);

/** Redeems a code and reloads the own quota, also after a failure that may follow a redemption. */
function useRedeemCode() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (key: string) => callApi("POST /api/user/topup", { body: { key } }),
    onSettled: () => client.invalidateQueries({ queryKey: selfQuery.queryKey }),
    meta: { quiet: true },
  });
}

function isRefused(error: Error | null): error is ApiError {
  return error instanceof ApiError && error.kind === "refused";
}

/** Places a button beside a field, above its error. */
function beside(button: ReactNode) {
  return (field: ReactNode) => (
    <div className={classes.redeem}>
      <div className={classes.code}>{field}</div>
      {button}
    </div>
  );
}

function RedeemForm() {
  const { t } = useTranslation("topup");
  const format = useFormatQuota();
  const redeem = useRedeemCode();
  const [code, setCode] = useState("");
  useEffect(() => watchUnsaved(() => code.trim() !== ""), [code]);
  const problem = useErrorText(isRefused(redeem.error) ? redeem.error : undefined);
  const input = useRef<HTMLInputElement>(null);
  const onError = (error: Error) => {
    if (error instanceof ApiError && error.kind !== "network") showError(error);
    else toastError(t("failed"));
    input.current?.focus();
  };
  const onSuccess = (quota: number) => {
    toastSuccess(t("done", { amount: format(quota) }));
    setCode("");
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const key = code.trim();
    if (isAccepted(redeemInputSchema, { key })) return redeem.mutate(key, { onSuccess, onError });
    toastWarning(t("emptyCode"));
    input.current?.focus();
  };
  return (
    <form noValidate onSubmit={submit}>
      <TextInput
        ref={input}
        className={classes.field ?? ""}
        inputContainer={beside(
          <Button type="submit" loading={redeem.isPending}>
            {t("redeem")}
          </Button>,
        )}
        label={t("code")}
        placeholder={t("placeholder")}
        autoComplete="off"
        spellCheck={false}
        maxLength={REDEMPTION_LIMITS.keyLength}
        value={code}
        error={isRefused(redeem.error) && problem}
        onChange={(event) => {
          setCode(event.currentTarget.value);
          redeem.reset();
        }}
      />
    </form>
  );
}

/** Where a code can be bought: in the shop, in a new tab. */
function BuyBox({ href }: { href: string }) {
  const { t } = useTranslation("topup");
  return (
    <Card title={t("buyTitle")} description={t("buyHint")}>
      <Button
        variant="default"
        rightSection={<IconExternalLink size={16} />}
        component="a"
        href={href}
        target="_blank"
        rel="noopener noreferrer"
      >
        {t("topUp")}
      </Button>
    </Card>
  );
}

/** Without a shop: says where codes come from; administrators get a link to the setting. The button looks disabled, and says why when it is pressed. */
function NoShop() {
  const { t } = useTranslation("topup", "shell");
  const isAdmin = useIsAdmin();
  const id = useId();
  return (
    <div className={classes.noShop}>
      <span id={id} className={classes.noShopText}>
        {t(isAdmin ? "noShopForAdmins" : "noShopHint")}{" "}
        {isAdmin && (
          <TextLink to="/setting" search={{ option: "TopUpLink" }} inherit underline="always">
            {t("setShop")}
          </TextLink>
        )}
      </span>
      <Button
        className={classes.noTopUp ?? ""}
        variant="default"
        size="compact-sm"
        aria-describedby={id}
        onClick={() => toastInfo(t("shell:noTopUpLink"))}
      >
        {t("topUp")}
      </Button>
    </div>
  );
}

function RedeemBoxes() {
  const { t } = useTranslation("topup");
  const href = webAddress(useStoredStatus().top_up_link);
  return (
    <>
      <Card title={t("redeemTitle")} description={t("redeemHint")}>
        <RedeemForm />
        {href === undefined && <NoShop />}
      </Card>
      {href !== undefined && <BuyBox href={href} />}
    </>
  );
}

export default function TopUpPage() {
  const { t } = useTranslation("topup");
  const self = useQuery(selfQuery);
  const hasShop = webAddress(useStoredStatus().top_up_link) !== undefined;
  return (
    <>
      <PageHeader title={t("title")} description={t(hasShop ? "description" : "descriptionWithoutShop")} />
      <div className={classes.columns}>
        <div className={classes.boxes}>
          <Card>
            <Stats>
              <Stat
                label={t("remaining")}
                note={self.data === undefined ? "" : <OwnForecast balance={self.data.quota} />}
              >
                {self.data === undefined ? <Skeleton height={20} width={96} /> : <QuotaText quota={self.data.quota} />}
              </Stat>
              <OwnSpend />
            </Stats>
          </Card>
          <GroupBudgetNotice />
          <RedeemBoxes />
          <div className={classes.last}>
            <OwnTopUps />
          </div>
        </div>
        <OwnSpendChart />
      </div>
    </>
  );
}
