import { useMediaQuery } from "@mantine/hooks";
import { NARROW_SCREEN_PX } from "@one-api/contract/constants";

/** Width, in px, at and under which tables become cards and actions open in a sheet. */
const CARD_WIDTH_PX = 640;

/** Widest screen, in px, on which a sheet covers its list; on wider ones it stands beside it. */
const COVERING_WIDTH_PX = 1_199;

const immediately = { getInitialValueInEffect: false };

/** True at or under the width at which toasts stand top-center. */
export function useNarrowScreen(): boolean {
  return useMediaQuery(`(max-width: ${NARROW_SCREEN_PX}px)`, false, immediately);
}

/** True where tables are shown as cards. */
export function useCardScreen(): boolean {
  return useMediaQuery(`(max-width: ${CARD_WIDTH_PX}px)`, false, immediately);
}

/** Widest screen, in px, on which filters, a list and a sheet do not fit side by side. */
const CROWDED_WIDTH_PX = 1_399;

/** True where filters, a list and a sheet stand side by side. */
export function useWidestScreen(): boolean {
  return !useMediaQuery(`(max-width: ${CROWDED_WIDTH_PX}px)`, false, immediately);
}

/** True where filters and sheets stand beside their list. */
export function useWideScreen(): boolean {
  return !useMediaQuery(`(max-width: ${COVERING_WIDTH_PX}px)`, false, immediately);
}

/** Widest screen, in px, on which nothing stands beside a form: see form-page.module.css. */
const FORM_ALONE_WIDTH_PX = 1_279;

/** True where the aside of a form is shown. */
export function useAsideScreen(): boolean {
  return !useMediaQuery(`(max-width: ${FORM_ALONE_WIDTH_PX}px)`, false, immediately);
}
