import { lazy, Suspense, useState } from "react";
import { readStored, writeStored } from "../../lib/local-storage.ts";
import { STORAGE_KEY } from "../../lib/storage-keys.ts";
import { useNotice } from "./api/use-notice.ts";

const NoticeDialog = lazy(() => import("./notice-dialog.tsx"));

/** Opens the notice once for each new text. */
export function NoticeGate() {
  const notice = (useNotice().data ?? "").trim();
  const [seen, setSeen] = useState(() => readStored(STORAGE_KEY.noticeSeen) ?? "");
  if (notice === "" || notice === seen) return null;
  const close = () => {
    writeStored(STORAGE_KEY.noticeSeen, notice);
    setSeen(notice);
  };
  return (
    <Suspense fallback={null}>
      <NoticeDialog notice={notice} onClose={close} />
    </Suspense>
  );
}
