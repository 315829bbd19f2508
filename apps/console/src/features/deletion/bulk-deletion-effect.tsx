import { useState } from "react";
import { type Fact, Facts } from "../../components/boxes/facts.tsx";
import { QuotaText } from "../../components/quota-text.tsx";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import classes from "./deletion-effect.module.css";

const DAY_SECONDS = 86_400;

interface BulkDeletionEffectProps {
  of: "codes" | "tokens" | "users";
  /** Unix seconds of each row's last use, 0 for never. Absent for rows that are used once. */
  usedAt?: readonly number[];
  /** Balance that is deleted too, in quota. */
  lost?: number;
}

/** Facts that the deletion of several rows is decided by: how many were used in the last day, and money that is lost. */
export default function BulkDeletionEffect({ of, usedAt, lost }: BulkDeletionEffectProps) {
  const { t } = useTranslation("deletion");
  const [now] = useState(Date.now);
  const used = usedAt?.filter((time) => time >= now / 1_000 - DAY_SECONDS).length;
  const facts: (Fact | false)[] = [
    usedAt !== undefined && {
      label: t(of === "users" ? "activeOfDay" : "usedOfDay"),
      value: t("ofAll", { count: used ?? 0, total: usedAt.length }),
      isNumber: true,
    },
    lost !== undefined && { label: t("lost"), value: <QuotaText quota={lost} />, isNumber: true },
  ];
  return (
    <div className={classes.effect}>
      <Facts layout="lines" facts={facts} />
    </div>
  );
}
