export { alertMessage, type TimedAlert } from "./alert-message.ts";
export { alertSchema, alertText, BUDGET_MARKS } from "./alert-texts.ts";
export {
  clearAlertStates,
  findOldestPendingTime,
  isAlertRaised,
  keepPendingAlerts,
  queueAlert,
  raiseAlertState,
  takePendingAlerts,
} from "./alert.repository.ts";
export { createQuotaShortages, type QuotaShortages, type Shortages } from "./quota-shortages.ts";
export { type IdRange, idRanges } from "./id-ranges.ts";
export { recordAlert } from "./record-alert.ts";
