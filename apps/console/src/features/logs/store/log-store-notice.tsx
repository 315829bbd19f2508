import { useQuery } from "@tanstack/react-query";
import { lazyPart } from "../../../lib/loading/later-part.ts";
import { logStoreQuery } from "./log-store-query.ts";

const LogStoreState = lazyPart(() => import("./log-store-state.tsx"), ["logs"]);

/** Says that totals and charts are incomplete or off, and what to do; nothing while they have the whole log. */
export function LogStoreNotice() {
  const store = useQuery(logStoreQuery).data;
  if (store === undefined || store.state === "following" || store.state === "idle") return undefined;
  return <LogStoreState store={store} />;
}
