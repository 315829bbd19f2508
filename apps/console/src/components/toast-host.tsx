import "@mantine/notifications/styles.layer.css";
import { Notifications, useNotifications } from "@mantine/notifications";
import { useEffect, useState } from "react";
import { toastEdge } from "../lib/toasts/toast-edge.ts";
import { useNarrowScreen } from "../lib/browser/use-narrow-screen.ts";

const TOAST_WIDTH_PX = 400;

/** Controls carry this attribute if toasts must not cover them: pagers, bars, and heads and buttons of dialogs. */
const CONTROLS = "[data-over-toasts]";

/** Returns the distance of the toasts from their edge of the window, in px; while toasts are shown it follows the controls of the page. */
function useToastEdge(side: "top" | "bottom"): number {
  const { length: count } = useNotifications().notifications;
  const [edge, setEdge] = useState(0);
  useEffect(() => {
    if (count === 0) return undefined;
    const host = document.querySelector(`[data-toasts][data-position^="${side}"]`);
    const place = () => {
      if (host === null) return;
      const toasts = host.getBoundingClientRect();
      const controls = [...document.querySelectorAll(CONTROLS)].map((control) => control.getBoundingClientRect());
      setEdge(toastEdge({ side, windowHeight: window.innerHeight, toasts, controls }));
    };
    place();
    const controller = new AbortController();
    const { signal } = controller;
    window.addEventListener("resize", place, { signal });
    // Also the scrolling of boxes within the page.
    window.addEventListener("scroll", place, { signal, capture: true, passive: true });
    const observer = new MutationObserver(place);
    observer.observe(document.body, { childList: true, subtree: true });
    // Toasts grow while they come in.
    const growth = new ResizeObserver(place);
    if (host !== null) growth.observe(host);
    return () => {
      controller.abort();
      observer.disconnect();
      growth.disconnect();
    };
  }, [count, side]);
  return edge;
}

/** Top-center on narrow screens, else bottom-right. Toasts cover no pager, no bar and no button of a dialog. */
export default function ToastHost() {
  const narrow = useNarrowScreen();
  const side = narrow ? "top" : "bottom";
  const edge = useToastEdge(side);
  return (
    <Notifications
      position={narrow ? "top-center" : "bottom-right"}
      containerWidth={TOAST_WIDTH_PX}
      limit={5}
      zIndex={400}
      data-toasts
      style={{ "--toast-edge": `${edge}px` }}
    />
  );
}
