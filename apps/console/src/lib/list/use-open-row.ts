import { useNavigate, useRouter, useSearch } from "@tanstack/react-router";
import { useDeferredValue } from "react";
import { integerOf } from "../values/read-values.ts";

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** The sheet was opened from the list, which is therefore one step back. */
    openedFromList?: boolean;
  }
}

/**
 * Returns the id of the row whose sheet is open. It is in the address, so that Back closes it and a link opens it. The
 * press is answered before the sheet is made.
 */
export function useOpenId(): number | undefined {
  const openId = useSearch({
    strict: false,
    select: ({ open }: { open?: unknown }) => integerOf(open, { least: 1 }),
  });
  return useDeferredValue(openId);
}

/** Opens and closes the sheet of a row. Does not render again with it: a list beside the sheet stays as it is. */
export function useOpenRow() {
  const navigate = useNavigate();
  const router = useRouter();
  return {
    openRow: (id: number) => {
      void navigate({
        to: ".",
        search: (previous) => ({ ...previous, open: id }),
        state: { openedFromList: true },
        resetScroll: false,
      });
    },
    /** Goes to another row of the page; Back still leads to the list. */
    stepTo: (id: number) => {
      void navigate({
        to: ".",
        search: (previous) => ({ ...previous, open: id }),
        state: true,
        replace: true,
        resetScroll: false,
      });
    },
    close: () => {
      if (router.state.location.state.openedFromList === true) return router.history.back();
      void navigate({
        to: ".",
        search: (previous) => ({ ...previous, open: undefined }),
        replace: true,
        resetScroll: false,
      });
    },
  };
}
