import { withBasePath } from "../lib/base-path.ts";
import { whenIdle } from "../lib/loading/when-idle.ts";
import { writeStored } from "../lib/state/local-storage.ts";
import { currentUser } from "../lib/state/session.ts";
import { STORAGE_KEY } from "../lib/state/storage-keys.ts";

/** Longest wait of a visitor's first page for the font; a slower network shows the system's font. */
const PATIENCE_MS = 400;

let isLoaded = false;

async function loadInter(): Promise<void> {
  await document.fonts.load('1em "Inter Variable"');
  isLoaded = true;
  writeStored(STORAGE_KEY.font, "ready");
}

whenIdle(loadInter);

/** Shows texts in Inter when it is loaded. To be called while another page takes the screen: texts change their widths. */
export function showInter(): void {
  if (isLoaded) document.documentElement.dataset["font"] = "inter";
}

/** Loads the font beside the first page of a visitor. Not for the login, whose first load has no room for it. */
export async function awaitInter(): Promise<void> {
  if (currentUser() !== undefined || window.location.pathname === withBasePath("/login")) return;
  const patience = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
  await Promise.race([loadInter(), patience]).catch(() => undefined);
  showInter();
}
