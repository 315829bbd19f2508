import { DEFAULT_LOGO, DEFAULT_QUOTA_PER_UNIT, DEFAULT_SYSTEM_NAME } from "@one-api/contract/constants";
import { stripTrailingSlashes } from "@one-api/contract/fields";
import type { PublicStatus } from "@one-api/contract/status";
import { z } from "zod";
import { createExternalStore } from "./external-store.ts";
import { readStored, readStoredJson, writeStored } from "./local-storage.ts";
import { STORAGE_KEY } from "./storage-keys.ts";

/** The part of the public status that is stored as JSON under `status`. */
const storedPartSchema = z.object({
  email_verification: z.boolean().catch(false),
  turnstile_check: z.boolean().catch(false),
  turnstile_site_key: z.string().catch(""),
  github_oauth: z.boolean().catch(false),
  github_client_id: z.string().catch(""),
  wechat_login: z.boolean().catch(false),
  wechat_qrcode: z.string().catch(""),
  lark_client_id: z.string().catch(""),
  chat_link_next_web: z.string().catch(""),
  chat_link_lobe: z.string().catch(""),
});

type StoredPart = z.infer<typeof storedPartSchema>;

/** What the console knows of the public status; texts are never undefined. */
export type StoredStatus = Omit<PublicStatus, "start_time" | keyof StoredPart> & StoredPart;

function readStoredStatus(): StoredStatus {
  const part = storedPartSchema.parse(readStoredJson(STORAGE_KEY.status) ?? {});
  const quotaPerUnit = Number(readStored(STORAGE_KEY.quotaPerUnit));
  return {
    ...part,
    version: readStored(STORAGE_KEY.version) ?? "",
    system_name: readStored(STORAGE_KEY.systemName) ?? DEFAULT_SYSTEM_NAME,
    logo: readStored(STORAGE_KEY.logo) ?? DEFAULT_LOGO,
    footer_html: readStored(STORAGE_KEY.footerHtml) ?? "",
    theme: readStored(STORAGE_KEY.theme) ?? "default",
    server_address: readStored(STORAGE_KEY.serverAddress) ?? "",
    top_up_link: readStored(STORAGE_KEY.topUpLink) ?? "",
    chat_link: readStored(STORAGE_KEY.chatLink) ?? "",
    quota_per_unit: quotaPerUnit > 0 ? quotaPerUnit : DEFAULT_QUOTA_PER_UNIT,
    display_in_currency: readStored(STORAGE_KEY.displayInCurrency) !== "false",
  };
}

const statusStore = createExternalStore(readStoredStatus());

/** The public status as last stored, defaults before the first answer; the component follows changes. */
export const useStoredStatus = () => statusStore.use();

/** Returns the address that callers reach this gateway at, without a trailing slash: the one that is set, else that of this page. */
export function useServerAddress(): string {
  return stripTrailingSlashes(useStoredStatus().server_address || window.location.origin);
}

/** Takes the stored status again. */
export function restoreStatus(): void {
  statusStore.set(readStoredStatus());
}

/** Stores the public status under its keys, for the first paint of the next visit. */
export function storeStatus(status: PublicStatus): void {
  writeStored(STORAGE_KEY.status, JSON.stringify(storedPartSchema.parse(status)));
  writeStored(STORAGE_KEY.version, status.version);
  writeStored(STORAGE_KEY.systemName, status.system_name);
  writeStored(STORAGE_KEY.logo, status.logo);
  writeStored(STORAGE_KEY.footerHtml, status.footer_html);
  writeStored(STORAGE_KEY.theme, status.theme);
  writeStored(STORAGE_KEY.serverAddress, status.server_address);
  writeStored(STORAGE_KEY.topUpLink, status.top_up_link);
  writeStored(STORAGE_KEY.chatLink, status.chat_link);
  writeStored(STORAGE_KEY.quotaPerUnit, String(status.quota_per_unit));
  writeStored(STORAGE_KEY.displayInCurrency, String(status.display_in_currency));
  restoreStatus();
}
