import type { ChannelShare } from "@one-api/contract/channels/channel-share";
import { MenuButton } from "../../../components/floating/menu-button.tsx";
import { formatPercent } from "../../../lib/format.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import classes from "./matrix.module.css";
import { type MatrixCellOf, useCellActions } from "./use-cell-actions.ts";

const TONES: Readonly<Partial<Record<ChannelShare["code"], "warning" | "danger">>> = {
  "rate-limited": "warning",
  failing: "danger",
  refused: "danger",
};

/** Of the colour under a share: of the least, and of 100 % beyond that. */
const OPACITY = { least: 0.1, range: 0.4 } as const;

interface MatrixCellProps extends MatrixCellOf {
  now: ChannelShare | undefined;
  then: number | undefined;
  isOff: boolean;
}

/** A channel's share of a model, or its state; in a preview also the share to come. A press offers what one can do about it. */
export function MatrixCell({ now, then, isOff, ...of }: MatrixCellProps) {
  const { t, language } = useTranslation("channel-matrix", "channel-shares");
  const entries = useCellActions(of);
  if (now === undefined) return null;
  const { share, code, awake_in: seconds } = now;
  const text = (part: number) => formatPercent(part, language, 0);
  const shown = isOff ? 0 : (then ?? share);
  const isChanged = then !== undefined && !isOff && Math.abs(then - share) > 0.005;
  const opacity = shown > 0 ? OPACITY.least + shown * OPACITY.range : 0;
  return (
    <MenuButton
      entries={entries}
      renderButton={(props) => (
        <button
          type="button"
          className={classes.share}
          data-tone={shown > 0 ? undefined : TONES[code]}
          data-changed={isChanged}
          title={code === "" ? undefined : t(`channel-shares:reasons.${code}`, { seconds })}
          {...props}
        >
          <span className={classes.fill} style={{ opacity }} aria-hidden="true" />
          {isOff && t("off")}
          {!isOff && isChanged && t("change", { before: text(share), after: text(then) })}
          {!isOff && !isChanged && (shown > 0 || code === "" ? text(shown) : t(`states.${code}`))}
          <span className="visually-hidden">{t("cell", { channel: of.channel, model: of.model })}</span>
        </button>
      )}
    />
  );
}
