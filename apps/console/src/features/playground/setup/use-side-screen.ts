import { useMediaQuery } from "@mantine/hooks";

/** Under this width, in px, a chat has no room beside it. */
const SIDE_WIDTH_PX = 1_140;

/** True where the settings stand beside the chat. */
export function useSideScreen(): boolean {
  return !useMediaQuery(`(max-width: ${SIDE_WIDTH_PX - 1}px)`, false, { getInitialValueInEffect: false });
}
