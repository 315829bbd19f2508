export {
  countRequest,
  countTowards,
  forgetRequests,
  isWithinLimit,
  requireWithinLimit,
  secondsUntilMore,
} from "./count-request.ts";
export { consumeEmailCode, createEmailCode, endResetLinks, tryEmailCode } from "./email-codes.ts";
export { checkHuman } from "./human-check.ts";
