import type { QueryClient } from "@tanstack/react-query";
import { auditList } from "../features/audit/audit-queries.ts";
import { readAuditFilters } from "../features/audit/audit-search.ts";
import { readChannelFilters, readGrouping } from "../features/channels/channel-list-search.ts";
import { channelList } from "../features/channels/channel-queries.ts";
import { channelMatrixQuery } from "../features/channels/matrix/matrix-query.ts";
import { DEFAULT_GROUP, readMatrixSearch } from "../features/channels/matrix/matrix-search.ts";
import { usageQuery, troublesQuery } from "../features/dashboard/dashboard-queries.ts";
import { ownDashboardSearch } from "../features/dashboard/dashboard-search.ts";
import { readInvitationFilters } from "../features/invitations/invitation-list-search.ts";
import { invitationList } from "../features/invitations/invitation-queries.ts";
import { logList } from "../features/logs/log-queries.ts";
import { readLogFilters, readLogSearch } from "../features/logs/log-search.ts";
import { keyList } from "../features/management-keys/key-list.ts";
import { deliveryList } from "../features/notifications/deliveries/delivery-list.ts";
import { readDeliveryFilters } from "../features/notifications/deliveries/delivery-list-search.ts";
import { allReceiversQuery, receiverList } from "../features/notifications/receivers/receiver-list.ts";
import { pricesQuery } from "../features/pricing/prices-query.ts";
import { readRedemptionFilters } from "../features/redemptions/redemption-list-search.ts";
import { redemptionList } from "../features/redemptions/redemption-queries.ts";
import { accessTokenQuery, factorsQuery, sessionsQuery } from "../features/settings/security/factor-queries.ts";
import { readSettingsSearch } from "../features/settings/navigation/settings-search.ts";
import { optionsQuery } from "../features/settings/options/option-queries.ts";
import { listedPricesQuery } from "../features/settings/operation/ratios/listed-prices.ts";
import { readTokenFilters } from "../features/tokens/token-list-search.ts";
import { tokenList } from "../features/tokens/token-queries.ts";
import { readUserFilters } from "../features/users/user-list-search.ts";
import { userList } from "../features/users/user-queries.ts";
import { listPlaceOf } from "../lib/list/list-place.ts";
import { type ListSource, listPageQuery } from "../lib/list/list-query.ts";
import type { RawSearch } from "../lib/list/list-search.ts";
import { currentUser } from "../lib/state/session.ts";

interface Visit {
  readonly client: QueryClient;
  readonly search: RawSearch;
  readonly isAdmin: boolean;
}

function ensureList<Row>({ client, search }: Visit, source: ListSource<Row>): Promise<unknown> {
  return client.ensureQueryData(listPageQuery(source, listPlaceOf(search)));
}

function ensureSettings({ client, search, isAdmin }: Visit): Promise<unknown>[] {
  const { tab, option } = readSettingsSearch(search);
  if (isAdmin && (tab ?? option) !== undefined && tab !== "personal") return [client.ensureQueryData(optionsQuery)];
  return [
    client.ensureQueryData(factorsQuery),
    client.ensureQueryData(sessionsQuery),
    client.ensureQueryData(accessTokenQuery),
  ];
}

/** Loads the data that a page shows first, by page. Data that is there already is not loaded again. */
export const PAGE_QUERIES = {
  audit: (visit) => [ensureList(visit, auditList(readAuditFilters(visit.search)))],
  channelMatrix: ({ client, search }) => {
    const { group = DEFAULT_GROUP } = readMatrixSearch(search);
    return [client.ensureQueryData(channelMatrixQuery({ group, keyword: listPlaceOf(search).keyword }))];
  },
  channels: (visit) => [ensureList(visit, channelList(readChannelFilters(visit.search), readGrouping(visit.search)))],
  dashboard: ({ client, search, isAdmin }) => [
    client.ensureQueryData(usageQuery(ownDashboardSearch(search, isAdmin), isAdmin)),
    ...(isAdmin ? [client.ensureQueryData(troublesQuery)] : []),
  ],
  deliveries: (visit) => [
    ensureList(visit, deliveryList(readDeliveryFilters(visit.search))),
    visit.client.ensureQueryData(allReceiversQuery),
  ],
  invitations: (visit) => [ensureList(visit, invitationList(readInvitationFilters(visit.search)))],
  logs: (visit) => {
    const { search, isAdmin } = visit;
    return [ensureList(visit, logList(readLogFilters(readLogSearch(search), isAdmin), isAdmin))];
  },
  managementKeys: (visit) => [ensureList(visit, keyList)],
  prices: ({ client }) => [client.ensureQueryData(pricesQuery(currentUser()?.id))],
  ratios: ({ client }) => [client.ensureQueryData(optionsQuery), client.ensureQueryData(listedPricesQuery)],
  receivers: (visit) => [ensureList(visit, receiverList)],
  redemptions: (visit) => [ensureList(visit, redemptionList(readRedemptionFilters(visit.search)))],
  settings: ensureSettings,
  tokens: (visit) => [ensureList(visit, tokenList(readTokenFilters(visit.search)))],
  users: (visit) => [ensureList(visit, userList(readUserFilters(visit.search)))],
} satisfies Record<string, (visit: Visit) => readonly Promise<unknown>[]>;

export type PageWithQueries = keyof typeof PAGE_QUERIES;
