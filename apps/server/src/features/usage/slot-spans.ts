/**
 * How many slots a span of each level has: from half an hour to 8 hours, from a day to 64 days. Each is twice the one before (a day three times),
 * so that any time is few of them: what is told apart by token is long, also for a day.
 */
export const SPANS = [1, 2, 4, 8, 16, 48, 96, 192, 384, 768, 1_536, 3_072] as const;

/** A span of slots: `span` counts spans of its level from the Unix epoch. */
export interface SlotSpan {
  readonly level: number;
  readonly span: number;
}

/** A span is closed, and added up, when an entry has come that is later than it. */
export function isClosed({ level, span }: SlotSpan, newestSlot: number): boolean {
  return level === 0 || (span + 1) * (SPANS[level] ?? Number.POSITIVE_INFINITY) <= newestSlot;
}

/** The fewest spans that are the slots from the first up to, but not with, the last; none after the newest slot. */
export function coverSlots(first: number, last: number, newestSlot: number): SlotSpan[] {
  const spans: SlotSpan[] = [];
  const end = Math.min(last, newestSlot + 1);
  let slot = first;
  while (slot < end) {
    const chosen = largestSpanAt(slot, end, newestSlot);
    spans.push(chosen);
    slot += SPANS[chosen.level] ?? 1;
  }
  return spans;
}

function largestSpanAt(slot: number, end: number, newestSlot: number): SlotSpan {
  for (let level = SPANS.length - 1; level > 0; level -= 1) {
    const length = SPANS[level] ?? 1;
    const span = { level, span: slot / length };
    if (slot % length === 0 && slot + length <= end && isClosed(span, newestSlot)) return span;
  }
  return { level: 0, span: slot };
}
