import { writeStored } from "../lib/state/local-storage.ts";
import { STORAGE_KEY } from "../lib/state/storage-keys.ts";
import { whenIdle } from "../lib/loading/when-idle.ts";

let isLoaded = false;

whenIdle(async () => {
  await document.fonts.load('1em "Inter Variable"');
  isLoaded = true;
  writeStored(STORAGE_KEY.font, "ready");
});

/** Shows texts in Inter when it is loaded. To be called while another page takes the screen: texts change their widths. */
export function showInter(): void {
  if (isLoaded) document.documentElement.dataset["font"] = "inter";
}
