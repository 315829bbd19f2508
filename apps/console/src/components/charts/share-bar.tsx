import classes from "./share-bar.module.css";

/** Share of a limit from which it is pointed out. */
const NEAR = 0.8;

/** Bar of the share of a limit that is used. `label` says the same in words. */
export function ShareBar({ used, limit, label }: { used: number; limit: number; label: string }) {
  const share = limit <= 0 ? 1 : Math.min(1, used / limit);
  return <progress className={classes.bar} value={share} max={1} data-near={share >= NEAR} aria-label={label} />;
}
