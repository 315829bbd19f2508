import { IconExternalLink, type Icon } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { useStoredStatus } from "../../lib/stored-status.ts";
import { toastInfo } from "../../lib/toasts.ts";
import classes from "./menu.module.css";

/** Returns the address when it may be opened from here: http or https. */
function webAddress(text: string): string | undefined {
  const address = URL.parse(text);
  return address !== null && /^https?:$/.test(address.protocol) ? address.href : undefined;
}

/** Leads to the top-up link in a new tab; says so when none is set. */
export function ShopLink({ label, icon: ShopIcon }: { label: string; icon: Icon }) {
  const { t } = useTranslation("shell");
  const href = webAddress(useStoredStatus().top_up_link);
  const content = (
    <>
      <ShopIcon size={18} stroke={1.6} aria-hidden="true" />
      <span className={classes.label}>{label}</span>
      <IconExternalLink className={classes.outside} size={14} aria-hidden="true" />
    </>
  );
  if (href === undefined) {
    return (
      <button type="button" className={classes.entry} title={label} onClick={() => toastInfo(t("noTopUpLink"))}>
        {content}
      </button>
    );
  }
  return (
    <a
      className={classes.entry}
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      title={`${label} (${t("newTab")})`}
    >
      {content}
    </a>
  );
}
