/**
 * States of a relayed request, in their order. The table beside each names the events that change something in it, and the action. An event that a
 * state does not name is impossible there or has no effect.
 *
 * Invariants:
 * - A reservation ends once: settled, released or fenced.
 * - The end of an answer leaves after the commit of its charge.
 * - Body and admission are released once.
 * - Checkpoints exist in streaming, lingering and counting only.
 */
export const STATES = {
  /** The key is looked up. The body is not read, since it counts for the account. Owns the presented key and the reply. */
  authenticating: {
    "key found": "checks networks and hops → receiving",
    "key refused": "answers 401, 403 or 429 → sending",
    "database unavailable": "answers 503 → sending",
    "caller gone": "→ done",
  },
  /** The body is received, parsed and measured. Owns the caller and the body with its memory. */
  receiving: {
    "body complete": "parses and measures it → planning",
    "body refused": "answers 4xx, or 503 without memory; releases the body → sending",
    "caller gone": "releases the body → done",
  },
  /** Rate limits admit the request, at once, by Redis or after a short wait, and candidates are searched. Owns the parsed request and the admission. */
  planning: {
    "candidates found": "→ reserving",
    "request refused": "no candidate, model not allowed, rate limit: answers 4xx or 503 → sending",
    "database unavailable": "answers 503 → sending",
    "caller gone": "leaves the queue of a limit, settles the admission with 0 → done",
  },
  /** The ledger reserves the upper bound of the charge. Owns the plan and the call of the ledger. */
  reserving: {
    reserved: "→ trying",
    "reservation refused": "answers 403 or 429, or 503 where a server that does not answer has the quota → sending",
    "database unavailable": "releases, since the reservation may exist; answers 503 → sending",
    "caller gone": "awaits the ledger, releases → done",
  },
  /** Moderation where the token demands it, then attempts; no content has come. Owns the reservation, the attempts and the stored exchange. */
  trying: {
    "moderation refuses": "releases, answers 400 or 503 → sending",
    "first byte": "a stream has its head: its silence is filled with comments; stays",
    "first content": "writes head and piece, records first byte and latency → streaming",
    "whole answer": "→ settling with the provider's report, → counting without",
    "provider end": "a stream without content ends: → settling with the provider's report, → counting without",
    "failed before content": "records the failure and tries the next candidate; without one → settling, no charge",
    "failed after content":
      "content and failure in one read: sends the content → counting (partial), then an error event",
    "silence timeout": "as failed before content",
    "caller gone": "no attempt taken, or not priced by tokens: aborts → settling, no charge; else as in streaming",
    ended: "revoked, or the server ends requests: aborts, releases, answers the error → sending",
    fenced: "the server was declared dead: aborts, answers 503 → sending",
  },
  /** Content passes to the caller. Owns the delivered part, the report, and the longest pause. */
  streaming: {
    piece: "writes it; pauses the attempt until the caller takes it",
    "provider end": "holds the last bytes back → settling with the provider's report, → counting without",
    "failed after content": "sends what came → counting (partial), then an error event",
    "silence timeout": "as failed after content",
    "caller gone": "a report may hide cost and is awaited: → lingering; else aborts → counting (partial)",
    "caller stalled": "as caller gone; destroys the connection",
    ended: "aborts → counting (partial), then an error event",
    fenced:
      "aborts, sends an error event → sending; the server that declared this one dead charges the last checkpoint",
  },
  /** The caller is gone, and the provider's report is awaited. Owns the timer and the part delivered until then. */
  lingering: {
    piece: "reads it and sends nothing",
    "whole answer": "→ settling (partial) with the provider's report, → counting without",
    "provider end": "→ settling (partial) with the provider's report, → counting without",
    "failed before content": "→ settling, no charge",
    "failed after content": "ignores the report → counting (partial)",
    "silence timeout": "as failed after content",
    "report timeout": "aborts → counting (partial)",
    drain: "as report timeout",
    ended: "as report timeout",
    fenced: "aborts → done",
  },
  /** The outcome is known; usage without a report is counted. Owns the draft of the outcome. */
  counting: {
    "usage counted": "→ settling",
    "count failed": "a stream: the estimate so far → settling; a whole answer: answers 500, no charge → settling",
    "caller gone": "a whole answer: stays; a stream: the outcome becomes caller-gone, and is counted anew",
    "caller stalled": "as caller gone; destroys the connection",
    ended:
      "a stream: the outcome becomes ended, and is counted anew, unless its caller is gone; a whole answer: releases, answers the error → sending",
    fenced: "a whole answer: as in trying; a stream: as in streaming",
  },
  /** The ledger commits the charge, and owns reservation and journal entry from here on. */
  settling: {
    "commit done": "settles the admission, sends the end or the body → sending",
    "commit unknown":
      "for `settleMs`: 503, or the held-back bytes and an error event → sending; the ledger goes on without a charge for what never left",
    "nothing left to settle":
      "the server was declared dead: the same without the held-back bytes; nothing is charged later → sending",
    "caller gone": "sends nothing after the commit → done",
    "caller stalled": "destroys the connection",
  },
  /** The rest of the answer or the error leaves. Owns the rest and its memory. */
  sending: {
    "answer taken": "→ done",
    "caller gone": "→ done",
    "caller stalled": "destroys the connection → done",
  },
  done: {},
} as const;

export type State = keyof typeof STATES;
