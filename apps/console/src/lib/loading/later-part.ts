import { type ComponentType, createElement, type ReactNode, useEffect } from "react";
import { showError } from "../api/show-error.ts";
import { loadTexts } from "../i18n/i18n.ts";
import type { Namespace } from "../i18n/text-keys.ts";
import { loadChunk } from "../load-chunk.ts";
import { createExternalStore } from "../state/external-store.ts";
import { whenIdle } from "./when-idle.ts";

interface LaterProps<Props> {
  /** Number of requests for the part; each one retries a failed load. 0: none. */
  timesWanted: number;
  instead: ReactNode;
  props: Props;
}

/**
 * Returns a part of a page that is not needed for its first paint. It loads after the page, or earlier when rendered,
 * with the namespaces of its texts. A failed load leaves the page without it.
 */
export function laterPart<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  texts: readonly Namespace[] = [],
): (props: LaterProps<Props>) => ReactNode {
  const store = createExternalStore<{ readonly Part?: ComponentType<Props> }>({});
  const get = async () => {
    const [{ default: Part }] = await Promise.all([loadChunk(load), loadTexts(texts)]);
    store.set({ Part });
  };
  whenIdle(get);
  return function LaterPart({ timesWanted, instead, props }) {
    const { Part } = store.use();
    const isMissing = Part === undefined;
    useEffect(() => {
      if (isMissing && timesWanted > 0) get().catch(showError);
    }, [isMissing, timesWanted]);
    return Part === undefined ? instead : createElement(Part, props);
  };
}

/** Like laterPart, for parts that are needed whenever rendered: empty until loaded. */
export function lazyPart<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  texts?: readonly Namespace[],
): (props: Props) => ReactNode {
  const Later = laterPart(load, texts);
  return function LazyPart(props) {
    return createElement(Later, { timesWanted: 1, instead: null, props });
  };
}
