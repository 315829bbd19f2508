import { stripTrailingSlashes } from "@one-api/contract/fields";
import type { OptionKey } from "@one-api/contract/option";
import { invalidOption } from "./invalid-option.ts";
import type { ParsedOption } from "./parsed-option.ts";

const WEB_PROTOCOLS: readonly string[] = ["http:", "https:"];
const PROXY_PROTOCOLS: readonly string[] = [...WEB_PROTOCOLS, "socks5:", "socks5h:"];

/** Reads an address without its trailing slashes; empty is none. Throws `invalid-input` naming the option. */
export function readAddress(key: OptionKey, text: string): ParsedOption {
  const address = stripTrailingSlashes(text.trim());
  const protocols = key === "HttpProxy" ? PROXY_PROTOCOLS : WEB_PROTOCOLS;
  const fits = address === "" || (URL.canParse(address) && protocols.includes(new URL(address).protocol));
  if (!fits) {
    const beginnings = protocols.map((protocol) => `${protocol}//`).join(" or ");
    throw invalidOption(`${key} must be an address that begins with ${beginnings}, or empty.`);
  }
  return { text: address, value: address };
}
