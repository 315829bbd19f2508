export { alertMessage, type TimedAlert } from "./alert-message.ts";
export { type Alert, alertSchema, alertText } from "./alert-texts.ts";
export {
  clearAlertState,
  clearAlertStates,
  endAlertState,
  endOtherAlertStates,
  findOldestPendingTime,
  isAlertRaised,
  dropUnwantedAlerts,
  queueAlert,
  raiseAlertState,
  takePendingAlerts,
} from "./alert.repository.ts";
export { createQuotaShortages, type QuotaShortages, type Shortages } from "./quota-shortages.ts";
export { idOfName } from "./id-of-name.ts";
export { type IdRange, idRanges } from "./id-ranges.ts";
export { recordAlert } from "./record-alert.ts";
