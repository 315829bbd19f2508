import { styleNonce } from "./style-nonce.ts";

// Libraries read these before they do what the content security policy refuses.
Object.assign(globalThis, {
  /** Zod compiles no schemas. It must stand here before the first schema. */
  __zod_globalConfig: { jitless: true },
  /** Nonce of the style elements of react-remove-scroll. */
  __webpack_nonce__: styleNonce(),
});
