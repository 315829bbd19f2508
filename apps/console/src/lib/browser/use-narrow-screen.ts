import { useMediaQuery } from "@mantine/hooks";
import { NARROW_SCREEN_PX } from "@one-api/contract/constants";

/** Width, in px, at and under which tables become cards and actions open in a sheet. */
const CARD_WIDTH_PX = 640;

const immediately = { getInitialValueInEffect: false };

/** True at or under the width at which toasts stand top-center. */
export function useNarrowScreen(): boolean {
  return useMediaQuery(`(max-width: ${NARROW_SCREEN_PX}px)`, false, immediately);
}

/** True where tables are shown as cards. */
export function useCardScreen(): boolean {
  return useMediaQuery(`(max-width: ${CARD_WIDTH_PX}px)`, false, immediately);
}
