import type { ChannelHint } from "@one-api/contract/channels/channel";
import { TimeText } from "../../../components/time-text.tsx";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { useReasonWords } from "../reason-words.ts";
import classes from "./channel-status.module.css";

interface HintDetailsProps {
  hint: ChannelHint;
  /** Why it was disabled, where the hint says nothing. */
  reason: string;
}

export default function HintDetails({ hint, reason }: HintDetailsProps) {
  const { t } = useTranslation("channels");
  const { sentence, quote } = useReasonWords()({ ...hint, message: hint.message || reason });
  return (
    <>
      <p className={classes.lead}>{t(`hints.${hint.code}.advice`)}</p>
      <p className={classes.said}>{quote || sentence}</p>
      <p className={classes.when}>
        <TimeText time={hint.at} />
      </p>
    </>
  );
}
