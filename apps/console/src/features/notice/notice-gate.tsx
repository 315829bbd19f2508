import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { callApi } from "../../lib/api/api-client.ts";
import { lazyPart } from "../../lib/loading/later-part.ts";
import { readStored, writeStored } from "../../lib/state/local-storage.ts";
import { STORAGE_KEY } from "../../lib/state/storage-keys.ts";

function useNotice() {
  return useQuery({
    queryKey: ["notice"],
    queryFn: ({ signal }) => callApi("GET /api/notice", { signal }),
    staleTime: 5 * 60_000,
    meta: { quiet: true },
  });
}

const NoticeDialog = lazyPart(() => import("./notice-dialog.tsx"));

export function NoticeGate() {
  const notice = (useNotice().data ?? "").trim();
  const [seen, setSeen] = useState(() => readStored(STORAGE_KEY.noticeSeen) ?? "");
  if (notice === "" || notice === seen) return null;
  const close = () => {
    writeStored(STORAGE_KEY.noticeSeen, notice);
    setSeen(notice);
  };
  return <NoticeDialog notice={notice} onClose={close} />;
}
