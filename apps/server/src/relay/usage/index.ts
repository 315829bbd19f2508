export { completeUsage } from "./complete-usage.ts";
export {
  answerTerms,
  BYTES_PER_TOKEN,
  countAnswer,
  countStream,
  type CountTokens,
  createCountTokens,
  type DeliveredStream,
  guessPromptTokens,
  isWholeReport,
  limitOfBalance,
  tokensUpperBound,
  usageDelivered,
  usageUpperBound,
} from "./count-usage.ts";
