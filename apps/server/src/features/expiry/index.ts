export { alertExpiringCertificates } from "./alert-expiring-certificates.ts";
export { alertExpiringKeys } from "./alert-expiring-keys.ts";
