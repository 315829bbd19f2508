export { bundleAlerts } from "./bundle-alerts.ts";
export { deliverNotices, type NoticeDeps } from "./deliver-notices.ts";
export { registerNotificationCalls } from "./notification.routes.ts";
export { findReceiverName, listReceiverTargets } from "./receiver.repository.ts";
export { findWantedAlerts, findWantedMarks } from "./wanted-alerts.ts";
export { postNotice } from "./send-notice.ts";
