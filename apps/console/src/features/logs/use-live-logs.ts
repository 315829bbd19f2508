import type { Log } from "@one-api/contract/logs/log";
import { useSearch } from "@tanstack/react-router";
import { useState, useSyncExternalStore } from "react";
import type { RawSearch } from "../../lib/list/list-search.ts";
import type { ListRows } from "../../lib/list/use-list-rows.ts";
import type { ListSearch } from "../../lib/list/use-list-search.ts";
import { useLogTail } from "./log-queries.ts";
import { type LogFilters, readLogSearch } from "./log-search.ts";

/** The list with what came since, and how it is steered. */
export interface LiveLogs {
  readonly list: ListRows<Log>;
  readonly isOn: boolean;
  /** Number of entries that wait until the viewer returns to the top of the list. */
  readonly waiting: number;
  /** More came than are shown. */
  readonly isCut: boolean;
  toggle(): void;
  show(): void;
  /** The reader's pointer has come to the list, or left it. */
  hold(isReading: boolean): void;
}

/** Scroll distance from which new rows wait, in pixels. */
const SCROLLED_BY = 40;

function isScrolled(): boolean {
  return window.scrollY > SCROLLED_BY;
}

function subscribeToScroll(onChange: () => void): () => void {
  window.addEventListener("scroll", onChange, { passive: true });
  return () => window.removeEventListener("scroll", onChange);
}

/** Part of the address that live rows depend on: an open entry makes new rows wait. */
function liveStateOf(address: RawSearch) {
  const { live, open } = readLogSearch(address);
  return { isLive: live === 1, hasOpenEntry: live === 1 && open !== undefined };
}

/**
 * Adds new entries on top of the first page. They wait while the reader has scrolled down, points at a row or has one
 * open.
 */
export function useLiveLogs(list: ListRows<Log>, filters: LogFilters, search: ListSearch): LiveLogs {
  const { isLive, hasOpenEntry } = useSearch({ strict: false, select: liveStateOf, structuralSharing: true });
  const isOn = isLive && search.page === 1;
  const tail = useLogTail(filters, isOn);
  // Without live rows nothing waits: then neither scrolling nor pointing renders the page again.
  const hasScrolled = useSyncExternalStore(subscribeToScroll, () => isOn && isScrolled());
  const [isReading, setIsReading] = useState(false);
  const [shownTo, setShownTo] = useState(0);
  const listed = list.rows[0]?.id ?? 0;
  const fresh = search.page === 1 && !list.isPending ? (tail?.rows ?? []).filter(({ id }) => id > listed) : [];
  const newest = fresh[0]?.id ?? 0;
  const isHeld = hasScrolled || isReading || hasOpenEntry;
  if (isOn && !isHeld && newest > shownTo) setShownTo(newest);
  const shown = fresh.filter(({ id }) => id <= shownTo);
  const rows = shown.length === 0 ? list.rows : [...shown, ...list.rows];
  return {
    list: { ...list, rows, total: list.total + shown.length },
    isOn,
    waiting: isOn ? fresh.length - shown.length : 0,
    isCut: isOn && tail?.isCut === true,
    toggle() {
      search.setFilters({ live: isLive ? undefined : 1 });
      // Live rows become part of the list.
      if (isOn) list.retry();
    },
    show() {
      setShownTo(newest);
      window.scrollTo({ top: 0 });
    },
    hold: (isPointing) => setIsReading(isOn && isPointing),
  };
}
