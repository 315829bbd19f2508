import { useNavigate, useRouter, useSearch } from "@tanstack/react-router";
import { integerOf } from "../values/read-values.ts";

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** The sheet was opened from the list, which is therefore one step back. */
    openedFromList?: boolean;
  }
}

/** Which row's sheet is open, kept in the address so that Back closes it and a link opens it. */
export function useOpenRow() {
  const { open }: { open?: unknown } = useSearch({ strict: false });
  const navigate = useNavigate();
  const router = useRouter();
  return {
    openId: integerOf(open, { least: 1 }),
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
