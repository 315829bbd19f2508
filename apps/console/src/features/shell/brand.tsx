import { Link } from "@tanstack/react-router";
import { withBasePath } from "../../lib/base-path.ts";
import { useStoredStatus } from "../../lib/state/stored-status.ts";
import classes from "./brand.module.css";

export function Brand() {
  const { logo, system_name: systemName } = useStoredStatus();
  return (
    <Link to="/" className={classes.brand} title={systemName}>
      <img className={classes.logo} src={withBasePath(logo)} width={24} height={24} alt="" />
      <span className={classes.name}>{systemName}</span>
    </Link>
  );
}
