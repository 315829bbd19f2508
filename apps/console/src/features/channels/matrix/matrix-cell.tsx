import type { ChannelShare } from "@one-api/contract/channels/channel-share";
import { formatPercent } from "../../../lib/format.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import classes from "./matrix.module.css";

const TONES: Readonly<Partial<Record<ChannelShare["code"], "warning" | "danger">>> = {
  "rate-limited": "warning",
  failing: "danger",
  refused: "danger",
};

/** Of the colour under a share of 100 %. */
const MOST_OPACITY = 0.36;

interface MatrixCellProps {
  now: ChannelShare | undefined;
  then: number | undefined;
  isOff: boolean;
}

/** A channel's share of a model, or its state; in a preview also the share to come. */
export function MatrixCell({ now, then, isOff }: MatrixCellProps) {
  const { t, language } = useTranslation("channel-matrix", "channel-shares");
  if (now === undefined) return null;
  const { share, code, awake_in: seconds } = now;
  const text = (part: number) => formatPercent(part, language, 0);
  const shown = isOff ? 0 : (then ?? share);
  const isChanged = then !== undefined && !isOff && Math.abs(then - share) > 0.005;
  return (
    <span
      className={classes.share}
      data-tone={shown > 0 ? undefined : TONES[code]}
      data-changed={isChanged}
      title={code === "" ? undefined : t(`channel-shares:reasons.${code}`, { seconds })}
    >
      <span className={classes.fill} style={{ opacity: shown * MOST_OPACITY }} aria-hidden="true" />
      {isOff && t("off")}
      {!isOff && isChanged && t("change", { before: text(share), after: text(then) })}
      {!isOff && !isChanged && (shown > 0 || code === "" ? text(shown) : t(`states.${code}`))}
    </span>
  );
}
