interface WindowBox {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

const MARGIN_PX = 16;
const GAP_PX = 8;

interface ToastPlace {
  readonly side: "top" | "bottom";
  readonly windowHeight: number;
  readonly toasts: WindowBox;
  readonly controls: readonly WindowBox[];
}

/** Returns the least distance of the toasts from their edge of the window, in px, at which they cover no control. */
export function toastEdge({ side, windowHeight, toasts, controls }: ToastPlace): number {
  const height = toasts.bottom - toasts.top;
  // Distances are measured from the edge that the toasts begin at.
  const besides = controls
    .filter(({ left, right, top, bottom }) => bottom > top && left < toasts.right && right > toasts.left)
    .map(({ top, bottom }) =>
      side === "top" ? { near: top, far: bottom } : { near: windowHeight - bottom, far: windowHeight - top },
    )
    .filter(({ near, far }) => far > 0 && near < windowHeight);
  const isFree = (edge: number) => besides.every(({ near, far }) => edge + height <= near || edge >= far);
  const free = [MARGIN_PX, ...besides.map(({ far }) => far + GAP_PX)].filter(isFree);
  return Math.min(...free);
}
