import { type ComponentType, lazy, type LazyExoticComponent } from "react";
import { loadChunk } from "./load-chunk.ts";
import { whenIdle } from "./when-idle.ts";

/**
 * A part of a page that its first paint does without, such as what opens on a press: it loads once the page stands, or earlier when
 * it is needed earlier.
 */
export function lazyPart<Props>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): LazyExoticComponent<ComponentType<Props>> {
  whenIdle(() => loadChunk(load));
  return lazy(() => loadChunk(load));
}
