export { clearAlertStates, raiseAlertState } from "./alert.repository.ts";
export { bundleAlerts } from "./bundle-alerts.ts";
export { noteAlert } from "./note-alert.ts";
