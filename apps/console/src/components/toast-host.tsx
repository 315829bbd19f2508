import { Notifications } from "@mantine/notifications";
import { useNarrowScreen } from "../lib/use-narrow-screen.ts";

/** Where toasts stand: top-center on narrow screens, else top-right. */
export default function ToastHost() {
  const narrow = useNarrowScreen();
  return <Notifications position={narrow ? "top-center" : "top-right"} limit={5} zIndex={400} />;
}
