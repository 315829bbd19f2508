import { useTranslation } from "../../lib/i18n/use-translation.ts";
import classes from "./web-frame.module.css";

interface WebFrameProps {
  /** An http or https address. */
  address: string;
  /** What is in the frame, for screen readers. */
  title: string;
  /**
   * The page may keep things in the browser under its own origin, as apps do that remember what was said. Without it, it counts as from
   * nowhere.
   */
  keepsStorage?: boolean;
}

const SANDBOX = "allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox";

/** What a framed page may do. One of this very origin that kept its own origin could take the sandbox off itself, so it never does. */
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
