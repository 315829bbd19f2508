/** The nonce that the server allows inline style elements of this page to carry; empty where there is no policy. */
export function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? "";
}
