import classes from "./share-bar.module.css";

const NEAR = 0.75;
const ALMOST_USED = 0.9;

interface ShareBarProps {
  used: number;
  limit: number;
  label: string;
  /** True where nothing is wrong with all of it. */
  isNeutral?: boolean;
}

/** Bar of the share of a limit that is used. `label` says the same in words. */
export function ShareBar({ used, limit, label, isNeutral = false }: ShareBarProps) {
  const share = limit <= 0 ? 1 : Math.min(1, used / limit);
  const level = isNeutral ? "free" : share >= ALMOST_USED ? "almost-used" : share >= NEAR ? "near" : "free";
  return <progress className={classes.bar} value={share} max={1} data-level={level} aria-label={label} />;
}
