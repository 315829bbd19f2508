import { consoleAddress } from "../base-path.ts";
import { DEFAULT_LOGO, DEFAULT_QUOTA_PER_UNIT, DEFAULT_SYSTEM_NAME } from "@one-api/contract/constants";
import type { PublicStatus } from "@one-api/contract/status";
import { fieldsOf } from "../values/read-values.ts";
import { createExternalStore } from "./external-store.ts";
import { readStored, readStoredJson, writeStored } from "./local-storage.ts";
import { STORAGE_KEY } from "./storage-keys.ts";

/** The part of the public status that is stored as JSON under `status`. */
function storedPartOf(status: Readonly<Record<string, unknown>>) {
  const flag = (name: keyof PublicStatus) => status[name] === true;
  const text = (name: keyof PublicStatus) => {
    const value = status[name];
    return typeof value === "string" ? value : "";
  };
  return {
    email_verification: flag("email_verification"),
    turnstile_check: flag("turnstile_check"),
    turnstile_site_key: text("turnstile_site_key"),
    github_oauth: flag("github_oauth"),
    github_client_id: text("github_client_id"),
    wechat_login: flag("wechat_login"),
    wechat_qrcode: text("wechat_qrcode"),
    lark_client_id: text("lark_client_id"),
    github_address: text("github_address"),
    lark_address: text("lark_address"),
    turnstile_address: text("turnstile_address"),
    oidc_login: flag("oidc_login"),
    keep_bodies: flag("keep_bodies"),
    oidc_label: text("oidc_label"),
    invitation_required: flag("invitation_required"),
    // Before the first answer of a server, sign-up, resets and prices are taken to be open.
    register_enabled: status["register_enabled"] !== false,
    reset_enabled: status["reset_enabled"] !== false,
    pricing_enabled: status["pricing_enabled"] !== false,
    status_page_enabled: flag("status_page_enabled"),
    chat_link_next_web: text("chat_link_next_web"),
    chat_link_lobe: text("chat_link_lobe"),
  };
}

type StoredPart = ReturnType<typeof storedPartOf>;

export type StoredStatus = Omit<PublicStatus, "start_time" | keyof StoredPart> & StoredPart;

function readStoredStatus(): StoredStatus {
  const part = storedPartOf(fieldsOf(readStoredJson(STORAGE_KEY.status)));
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

export const useStoredTheme = () => statusStore.usePart(({ theme }) => theme);

export const currentStatus = () => statusStore.get();

/** Returns the address that callers reach this gateway at, without a trailing slash: the one that is set, else that of this page. */
export function useServerAddress(): string {
  return (useStoredStatus().server_address || consoleAddress()).replace(/\/+$/, "");
}

export function restoreStatus(): void {
  const next = readStoredStatus();
  // An answer that says nothing new renders nothing.
  if (JSON.stringify(next) !== JSON.stringify(statusStore.get())) statusStore.set(next);
}

/** Stores the public status under its keys, for the first paint of the next visit. */
export function storeStatus(status: PublicStatus): void {
  writeStored(STORAGE_KEY.status, JSON.stringify(storedPartOf(status)));
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
