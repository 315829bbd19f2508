import type { Log } from "@one-api/contract/logs/log";

export interface Fault {
  /** One of LOG_ENDS, or the code of a refusal. */
  readonly kind: string;
  /** The provider's words, or the gateway's for a refusal; may be empty. */
  readonly message: string;
  readonly channel: number;
}

/** The fault of a failed request: its last failed attempt, else how it ended. */
export function faultOf({ detail, content, result, channel }: Log): Fault {
  const attempt = detail?.attempts.findLast(({ failure }) => failure !== "");
  if (attempt !== undefined) {
    const [kind = "", ...words] = attempt.failure.split(": ");
    return { kind, message: words.join(": "), channel: attempt.channel };
  }
  const refusal = detail?.refusal ?? "";
  return refusal === ""
    ? { kind: detail?.end ?? result, message: "", channel }
    : { kind: refusal, message: content, channel };
}

const WORD = /[\w.:/-]+/g;
const DIGIT = /\d/;

/** The message with every word that contains a digit replaced: messages that differ in numbers and ids become equal. */
export function messageKey(message: string): string {
  return message.toLowerCase().replaceAll(WORD, (word) => (DIGIT.test(word) ? "#" : word));
}
