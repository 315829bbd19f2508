import "@mantine/notifications/styles.layer.css";
import { Notifications } from "@mantine/notifications";
import { useNarrowScreen } from "../lib/browser/use-narrow-screen.ts";

const TOAST_WIDTH_PX = 400;

/** Where toasts stand: top-center on narrow screens; else at the bottom right, where they cover none of a page's buttons. */
export default function ToastHost() {
  const narrow = useNarrowScreen();
  return (
    <Notifications
      position={narrow ? "top-center" : "bottom-right"}
      containerWidth={TOAST_WIDTH_PX}
      limit={5}
      zIndex={400}
    />
  );
}
