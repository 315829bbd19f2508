import { useNavigate, useRouter, useSearch } from "@tanstack/react-router";
import { useDeferredValue, useMemo } from "react";
import { integerOf, textOf } from "../values/read-values.ts";

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** The sheet was opened from the list, which is therefore one step back. */
    openedFromList?: boolean;
  }
}

interface OpenSearch {
  readonly open?: unknown;
}

const openIdOf = ({ open }: OpenSearch) => integerOf(open, { least: 1 });

const hasOpen = ({ open }: OpenSearch) => open !== undefined;

const openNameOf = ({ open }: OpenSearch) => textOf(open, { most: 300 });

/**
 * Returns the id of the row whose sheet is open. It is in the address, so Back closes it and a link opens it.
 */
export function useOpenId(): number | undefined {
  const openId = useSearch({ strict: false, select: openIdOf });
  return useDeferredValue(openId);
}

/** Like useOpenId, for rows that have a name instead of an id. */
export function useOpenName(): string | undefined {
  return useSearch({ strict: false, select: openNameOf });
}

/** Opens and closes the sheet of a row: the same functions for as long as the list stands, so that it is not rendered again with the sheet. */
export function useOpenRow() {
  const navigate = useNavigate();
  const router = useRouter();
  return useMemo(() => {
    const openRow = (id: number | string) => {
      void navigate({
        to: ".",
        search: (previous) => ({ ...previous, open: id }),
        state: { openedFromList: true },
        resetScroll: false,
      });
    };
    /** Goes to another row of the page; Back still leads to the list. */
    const stepTo = (id: number | string) => {
      void navigate({
        to: ".",
        search: (previous) => ({ ...previous, open: id }),
        state: true,
        replace: true,
        resetScroll: false,
      });
    };
    return {
      openRow,
      stepTo,
      /** Opens a row beside its list, or in place of another one: Back leads to the list, however many were looked at. */
      openOrStep: (id: number | string) => (hasOpen(router.state.location.search) ? stepTo(id) : openRow(id)),
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
  }, [navigate, router]);
}
