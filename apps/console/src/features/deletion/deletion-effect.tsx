import { useQuery } from "@tanstack/react-query";
import { type Fact, Facts } from "../../components/boxes/facts.tsx";
import { QuotaText } from "../../components/quota-text.tsx";
import { RelativeTime } from "../../components/relative-time.tsx";
import { callApi } from "../../lib/api/api-client.ts";
import { formatInteger } from "../../lib/format.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import classes from "./deletion-effect.module.css";
import { useCurrentUser, useIsAdmin } from "../../lib/state/session.ts";

const DAY_SECONDS = 86_400;

interface DeletionEffectProps {
  /** A user with everything of theirs, or one token of the viewer. */
  of: { readonly user: number } | { readonly token: string };
  /** Unix seconds; 0 for never. */
  usedAt: number;
  /** Balance that is deleted too, in quota. */
  lost?: number;
}

/** Counts the requests of 24 hours that a token, or all tokens of a user, made. */
function useRequestsOfDay(of: DeletionEffectProps["of"]) {
  const isAdmin = useIsAdmin();
  const viewer = useCurrentUser()?.id ?? 0;
  return useQuery({
    queryKey: ["deletion-effect", { of, isAdmin, viewer }],
    queryFn: async ({ signal }) => {
      const now = Math.floor(Date.now() / 1_000);
      const edges = `${now - DAY_SECONDS},${now}`;
      const query = { edges, metric: "requests", rows: 0, token_name: "token" in of ? of.token : "" } as const;
      const user = "user" in of ? of.user : viewer;
      const { total } = isAdmin
        ? await callApi("GET /api/dashboard/", { query: { ...query, user }, signal })
        : await callApi("GET /api/dashboard/self", { query, signal });
      return total.requests;
    },
    meta: { quiet: true },
  });
}

/** Facts that a deletion is decided by: use of the last day, last use, and money that is lost. */
export default function DeletionEffect({ of, usedAt, lost }: DeletionEffectProps) {
  const { t, language } = useTranslation("deletion");
  const { data: requests, isError } = useRequestsOfDay(of);
  const facts: (Fact | false)[] = [
    {
      label: t("requests"),
      value: requests === undefined ? (isError ? "–" : "…") : formatInteger(requests, language),
      isNumber: true,
    },
    { label: t("user" in of ? "lastActive" : "lastUsed"), value: <RelativeTime time={usedAt} never={t("never")} /> },
    lost !== undefined && { label: t("lost"), value: <QuotaText quota={lost} />, isNumber: true },
  ];
  return (
    <div className={classes.effect}>
      <Facts layout="lines" facts={facts} />
    </div>
  );
}
