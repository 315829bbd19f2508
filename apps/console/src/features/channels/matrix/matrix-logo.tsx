import { laterPart } from "../../../lib/loading/later-part.ts";
import classes from "./matrix.module.css";

const LoadedLogo = laterPart(() => import("./loaded-logo.tsx"));

/** The logo of a channel's type. It comes after the page, into the space that waits for it. */
export function MatrixLogo({ type }: { type: number }) {
  return (
    <span className={classes.logo}>
      <LoadedLogo timesWanted={0} instead={null} props={{ type }} />
    </span>
  );
}
