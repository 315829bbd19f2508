import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { SafeContent } from "./safe-content.tsx";
import classes from "./set-content.module.css";

/** True when the text is one address of the web and nothing else. */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text.trim()) && URL.canParse(text.trim());
}

/** What administrators set as a page: an address is framed, everything else is Markdown or HTML, sanitised. */
export function SetContent({ content, title }: { content: string; title: string }) {
  const { t } = useTranslation();
  if (!isWebAddress(content)) return <SafeContent content={content} format="markdown" />;
  const address = content.trim();
  // Browsers load no http frame in an https page, so there that address is offered as a link.
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
      sandbox="allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox"
      referrerPolicy="no-referrer"
    />
  );
}
