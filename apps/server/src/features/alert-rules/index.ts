export { registerAlertRuleCalls } from "./alert-rule.routes.ts";
export { checkAlertRules } from "./check-alert-rules.ts";
