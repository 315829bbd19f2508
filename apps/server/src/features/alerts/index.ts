export { clearAlertStates, raiseAlertState } from "./alert.repository.ts";
export { bundleAlerts } from "./bundle-alerts.ts";
export { createQuotaShortages, type QuotaShortages, type Shortages } from "./quota-shortages.ts";
export { type IdRange, idRanges } from "./id-ranges.ts";
export { recordAlert } from "./record-alert.ts";
