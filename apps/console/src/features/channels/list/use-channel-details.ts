import { useState } from "react";
import { readStored, writeStored } from "../../../lib/local-storage.ts";
import { STORAGE_KEY } from "../../../lib/storage-keys.ts";

/** Whether the list shows balance and test model, remembered in this browser. */
export function useChannelDetails() {
  const [isShown, setShown] = useState(() => readStored(STORAGE_KEY.channelDetails) === "true");
  const toggle = () => {
    writeStored(STORAGE_KEY.channelDetails, isShown ? undefined : "true");
    setShown(!isShown);
  };
  return { isShown, toggle };
}
