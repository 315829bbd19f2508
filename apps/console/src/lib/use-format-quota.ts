import { formatQuota } from "./format.ts";
import { useStoredStatus } from "./state/stored-status.ts";

/** Returns formatQuota with the settings of the public status. */
export function useFormatQuota(): (quota: number) => string {
  const status = useStoredStatus();
  return (quota) =>
    formatQuota(quota, { displayInCurrency: status.display_in_currency, quotaPerUnit: status.quota_per_unit });
}
