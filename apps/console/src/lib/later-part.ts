import { type ComponentType, createElement, type ReactNode, useEffect } from "react";
import { showError } from "./api/show-error.ts";
import { loadChunk } from "./load-chunk.ts";
import { createExternalStore } from "./state/external-store.ts";
import { whenIdle } from "./when-idle.ts";

/** A part of a page that its first paint does without, such as what opens on a press. */
export interface LaterPart<Props> {
  /**
   * Returns the part, undefined until it is there. It loads once the page stands, or earlier when it is wanted, and again with each
   * further time; 0 is not wanted.
   */
  use(timesWanted: number): ComponentType<Props> | undefined;
}

/** Returns a part that loads once the page stands. What does not come leaves the page as it is without it. */
export function laterPart<Props>(load: () => Promise<{ default: ComponentType<Props> }>): LaterPart<Props> {
  const store = createExternalStore<{ readonly Part?: ComponentType<Props> }>({});
  const get = async () => {
    const { default: Part } = await loadChunk(load);
    store.set({ Part });
  };
  whenIdle(get);
  return {
    use(timesWanted) {
      const { Part } = store.use();
      const isMissing = Part === undefined;
      useEffect(() => {
        if (isMissing && timesWanted > 0) get().catch(showError);
      }, [isMissing, timesWanted]);
      return Part;
    },
  };
}

/** Like laterPart, as a component that shows nothing until it is there. */
export function lazyPart<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): (props: Props) => ReactNode {
  const part = laterPart(load);
  return function LazyPart(props) {
    const Part = part.use(1);
    return Part === undefined ? null : createElement(Part, props);
  };
}
