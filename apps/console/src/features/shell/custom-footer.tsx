import { SafeContent } from "../../components/safe-content.tsx";
import { useStoredStatus } from "../../lib/stored-status.ts";
import classes from "./custom-footer.module.css";

/** The footer that administrators set, sanitised; without one, name and version of the system. */
export function CustomFooter() {
  const { footer_html: html, system_name: systemName, version } = useStoredStatus();
  return (
    <footer className={classes.footer}>
      {html === "" ? (
        <span>
          {systemName} {version}
        </span>
      ) : (
        <SafeContent content={html} format="html" />
      )}
    </footer>
  );
}
