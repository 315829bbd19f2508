import type { Log } from "@one-api/contract/logs/log";
import type { LogDetail } from "@one-api/contract/logs/log-detail";
import type { LogEvent } from "@one-api/contract/logs/log-event";
import { formatMoney, formatTime } from "../../../lib/format.ts";
import type { TextValues } from "../../../lib/i18n/text-keys.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { useFormatQuota } from "../../../lib/use-format-quota.ts";
import { useReasonWords } from "../../channels/reason-words.ts";
import { useRefusalWords } from "../refusals/refusal-words.ts";

interface OwnWords {
  readonly sentence: string;
  /** Quoted text of others, or of the gateway in English; empty if the sentence suffices. */
  readonly quote: string;
}

/** Values of the texts of events. An event's own text uses only values that it has. */
function textValues(values: LogEvent["values"], quota: (amount: number) => string, root: string): TextValues {
  const { name = "", id = 0, subject = "", recipient = "", tries = 0, type = "", threshold = 0 } = values;
  const { channels = 0, listed = 0, failed = 0, balance = 0, found = 0, ending = "", enabled = 0 } = values;
  return {
    name,
    id,
    subject,
    recipient: recipient || root,
    tries,
    type,
    threshold,
    channels,
    listed,
    failed,
    balance,
    found,
    ending: `…${ending}`,
    enabled,
    quota: quota(values.quota ?? 0),
    from: quota(values.from ?? 0),
    to: quota(values.to ?? 0),
    used: formatMoney(values.used ?? 0),
    limit: formatMoney(values.limit ?? 0),
    until: formatTime(values.until ?? 0),
  };
}

/** Returns the text of an entry without a request, in the viewer's language; undefined for other entries. */
function useEventWords(): (event: LogEvent | undefined) => OwnWords | undefined {
  const { t } = useTranslation("logs");
  const quota = useFormatQuota();
  const reasonWords = useReasonWords();
  return (event) => {
    if (event === undefined) return undefined;
    const { code, values } = event;
    const { said = "", reason: cause } = values;
    const why = cause && reasonWords({ code: cause, message: said, parts: values });
    const texts = textValues(values, quota, t("events.root"));
    const sentence = t(`events.${code}`, { ...texts, reason: why?.sentence ?? "" });
    const isListed = code === "models-updated" && said !== "";
    return { sentence: `${sentence}${isListed ? t("events.models-missing") : ""}`.trim(), quote: why?.quote ?? said };
  };
}

/** Returns the text of an entry's refusal or event; undefined if only the server's message exists. */
export function useOwnWords(): (
  log: Pick<Log, "content" | "model_name" | "event">,
  detail: LogDetail | undefined,
) => OwnWords | undefined {
  const refusalWords = useRefusalWords();
  const eventWords = useEventWords();
  return (log, detail) => refusalWords(log, detail) ?? eventWords(log.event);
}
