import { useTranslation } from "../../lib/i18n/use-translation.ts";
import classes from "./web-frame.module.css";

interface WebFrameProps {
  address: string;
  title: string;
  /**
   * Lets the page use the browser's storage under its own origin, as chat apps need. Without it the page has an opaque
   * origin.
   */
  keepsStorage?: boolean;
}

const SANDBOX = "allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox";

/** Sandbox of a framed page. A page of this origin never keeps its origin, because it could then remove the sandbox. */
function sandboxOf({ address, keepsStorage = false }: WebFrameProps): string {
  const isForeign = new URL(address).origin !== window.location.origin;
  return keepsStorage && isForeign ? `${SANDBOX} allow-same-origin allow-downloads allow-modals` : SANDBOX;
}

/** Another site's page in a sandbox of its own. Browsers load no http frame in an https page; there the address is offered as a link. */
export function WebFrame(props: WebFrameProps) {
  const { address, title } = props;
  const { t } = useTranslation();
  if (window.location.protocol === "https:" && !address.toLowerCase().startsWith("https:")) {
    return (
      <a href={address} target="_blank" rel="noopener noreferrer nofollow">
        {t("openAddress", { address })}
      </a>
    );
  }
  return (
    <iframe
      className={classes.frame}
      src={address}
      title={title}
      sandbox={sandboxOf(props)}
      allow="clipboard-write"
      referrerPolicy="no-referrer"
    />
  );
}
