import type { Log } from "@one-api/contract/logs/log";
import type { CreatedToken } from "@one-api/contract/token";
import { useState } from "react";
import { QuotaText } from "../../components/quota-text.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { formatInteger, formatSeconds } from "../../lib/format.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { useCurrentUser } from "../../lib/state/session.ts";
import { useLogTail } from "../logs/log-queries.ts";
import { LogResultBadge, readLogDetail } from "../logs/log-outcome.tsx";
import { isModelCall } from "../logs/log-types.tsx";
import { useRefusalWords } from "../logs/refusals/refusal-words.ts";
import classes from "./first-request.module.css";

interface FirstRequestProps {
  tokens: readonly Pick<CreatedToken, "id">[];
  /** `client`: a client is being connected with a token that may have been used before. */
  of?: "key" | "client";
}

/** Waits for the next request with one of the tokens, and shows how it ended. */
export default function FirstRequest({ tokens, of = "key" }: FirstRequestProps) {
  const { t, language } = useTranslation("tokens");
  const words = useRefusalWords();
  const ids = new Set(tokens.map(({ id }) => id));
  const [log, setLog] = useState<Log>();
  // Administrators read the log of all users.
  const user = useCurrentUser();
  const tail = useLogTail({ username: user === undefined ? undefined : [user.username] }, log === undefined);
  const first = tail?.rows.findLast(({ token_id: tokenId, type }) => isModelCall(type) && ids.has(tokenId));
  if (log === undefined && first !== undefined) setLog(first);
  if (log === undefined) {
    return (
      <p className={classes.state} role="status">
        <span className={classes.dot} aria-hidden="true" />
        {t(`firstRequest.waiting.${of}`)}
      </p>
    );
  }
  const count = (tokensUsed: number) => formatInteger(tokensUsed, language);
  const sentence = words(log, readLogDetail(log))?.sentence;
  return (
    <div className={classes.received} role="status">
      <p className={classes.state}>
        <strong>{t(`firstRequest.received.${of}`)}</strong>
        <LogResultBadge log={log} />
      </p>
      <p className={classes.facts}>
        <span>{log.model_name}</span>
        <span>{t("firstRequest.tokens", { in: count(log.prompt_tokens), out: count(log.completion_tokens) })}</span>
        <span>{formatSeconds(log.elapsed_time)}</span>
        <QuotaText quota={log.quota} />
        <TextLink to="/log" search={{ open: log.id }} inherit>
          {t("firstRequest.details")}
        </TextLink>
      </p>
      {sentence !== undefined && <p className={classes.facts}>{sentence}</p>}
    </div>
  );
}
