import type { QueryClient } from "@tanstack/react-query";
import { aboutQuery } from "../features/about/about-query.ts";
import { auditList, auditSealQuery } from "../features/audit/audit-queries.ts";
import { readAuditFilters } from "../features/audit/audit-search.ts";
import { readChannelFilters, readGrouping } from "../features/channels/channel-list-search.ts";
import {
  allModelsQuery,
  channelList,
  channelQuery,
  groupsQuery,
  modelsOfTypesQuery,
} from "../features/channels/channel-queries.ts";
import { channelMatrixQuery } from "../features/channels/matrix/matrix-query.ts";
import { DEFAULT_GROUP, readMatrixSearch } from "../features/channels/matrix/matrix-search.ts";
import { decisionsQuery, keysQuery, timesQuery, trafficQuery } from "../features/channel-page/page-queries.ts";
import { usageQuery, troublesQuery } from "../features/dashboard/dashboard-queries.ts";
import { ownDashboardSearch } from "../features/dashboard/dashboard-search.ts";
import { firstStepsQuery, hasCalled, homeContentQuery } from "../features/home/home-queries.ts";
import { lastErrorQuery, newestRequestsQuery, ownTokensQuery } from "../features/home/summary/summary-queries.ts";
import { readInvitationFilters } from "../features/invitations/invitation-list-search.ts";
import { invitationList } from "../features/invitations/invitation-queries.ts";
import { limitUseQuery } from "../features/limits/limit-use-query.ts";
import { logList } from "../features/logs/log-queries.ts";
import { readLogFilters, readLogSearch } from "../features/logs/log-search.ts";
import { logStoreQuery } from "../features/logs/store/log-store-query.ts";
import { keyList, managementKeyQuery } from "../features/management-keys/key-list.ts";
import { deliveryList } from "../features/notifications/deliveries/delivery-list.ts";
import { readDeliveryFilters } from "../features/notifications/deliveries/delivery-list-search.ts";
import { allReceiversQuery, receiverList, receiverQuery } from "../features/notifications/receivers/receiver-list.ts";
import { chatModelsQuery, chosenTokenQuery, tokenChoicesQuery } from "../features/playground/playground-queries.ts";
import { pricesQuery } from "../features/pricing/prices-query.ts";
import { readRedemptionFilters } from "../features/redemptions/redemption-list-search.ts";
import { redemptionList, redemptionQuery } from "../features/redemptions/redemption-queries.ts";
import { invitationQuery } from "../features/register/invitation-query.ts";
import { accessTokenQuery, factorsQuery, sessionsQuery } from "../features/settings/security/factor-queries.ts";
import { readSettingsSearch } from "../features/settings/navigation/settings-search.ts";
import { optionChangesQuery, optionsQuery } from "../features/settings/options/option-queries.ts";
import { comingPricesQuery } from "../features/pricing/coming-prices-query.ts";
import { listedPricesQuery } from "../features/settings/operation/ratios/listed-prices.ts";
import { availabilityQuery } from "../features/status-page/availability-query.ts";
import { systemQuery } from "../features/system/system-queries.ts";
import { readTokenFilters } from "../features/tokens/token-list-search.ts";
import { availableModelsQuery, tokenList, tokenQuery } from "../features/tokens/token-queries.ts";
import { ownMonthQuery } from "../features/topup/own-month-query.ts";
import {
  auditOfUserQuery,
  requestsOfUserQuery,
  tokensOfUserQuery,
  topUpsOfUserQuery,
} from "../features/user-page/page-queries.ts";
import { readUserFilters } from "../features/users/user-list-search.ts";
import { accountOptionsQuery, userList, userQuery } from "../features/users/user-queries.ts";
import { allChannelsQuery } from "../features/what-if/what-if-queries.ts";
import { queryClient } from "../lib/api/query-client.ts";
import { ensureRow } from "../lib/api/row-query.ts";
import { listPlaceOf } from "../lib/list/list-place.ts";
import { type ListSource, listPageQuery } from "../lib/list/list-query.ts";
import type { RawSearch } from "../lib/list/list-search.ts";
import { currentUser, isCurrentAdmin } from "../lib/state/session.ts";
import { currentStatus } from "../lib/state/stored-status.ts";
import { integerOf, textOf } from "../lib/values/read-values.ts";

/** What a loader knows of the visit of a page. */
interface Visit {
  readonly client: QueryClient;
  readonly search: RawSearch;
  /** Row that the address names. */
  readonly id: number | undefined;
  readonly isAdmin: boolean;
}

type Loads = readonly Promise<unknown>[];

function ensureList<Row>({ client, search }: Visit, source: ListSource<Row>) {
  return client.ensureQueryData(listPageQuery(source, listPlaceOf(search)));
}

function ensureSettings({ client, search, isAdmin }: Visit): Loads {
  const { tab, section, option } = readSettingsSearch(search);
  const options = isAdmin ? [client.ensureQueryData(optionsQuery)] : [];
  if (isAdmin && (tab ?? option) !== undefined && tab !== "personal")
    return [...options, client.ensureQueryData(optionChangesQuery)];
  if (section !== "security") return [client.ensureQueryData(accessTokenQuery), ...options];
  return [client.ensureQueryData(factorsQuery), client.ensureQueryData(sessionsQuery), ...options];
}

function ensurePrices({ client }: Visit): Loads {
  return currentStatus().pricing_enabled ? [client.ensureQueryData(pricesQuery(currentUser()?.id))] : [];
}

/** The newest requests and sums that the home page shows once there were requests. */
function ensureSummary({ client, isAdmin }: Visit): Loads {
  const shared = [
    client.ensureQueryData(newestRequestsQuery(isAdmin)),
    client.ensureQueryData(usageQuery({ range: "today" }, isAdmin)),
  ];
  if (isAdmin) return shared;
  return [
    ...shared,
    client.ensureQueryData(lastErrorQuery),
    client.ensureQueryData(ownTokensQuery),
    client.ensureQueryData(usageQuery({ range: "month" }, false)),
  ];
}

function ensureHome(visit: Visit): Loads {
  const { client } = visit;
  const user = currentUser();
  const content = client.ensureQueryData(homeContentQuery);
  if (user === undefined) return [content, ...ensurePrices(visit)];
  const steps = client.ensureQueryData(firstStepsQuery(user));
  return [
    content,
    steps.then((known) => (hasCalled(known) ? Promise.all(ensureSummary(visit)) : undefined)),
    client.ensureQueryData(availableModelsQuery),
  ];
}

/** Tokens, and the models of the chosen or newest one; with its key, if that is shown. */
async function ensureChat({ client, search }: Visit, withKey: boolean): Promise<unknown> {
  const userId = currentUser()?.id;
  const tokens = client.ensureQueryData(tokenChoicesQuery(userId));
  const id = integerOf(search["token"], { least: 1 }) ?? (await tokens)[0]?.id;
  if (id === undefined) return undefined;
  return Promise.all([
    client.ensureQueryData(chatModelsQuery(userId, id)),
    client.ensureQueryData(chosenTokenQuery(userId, id)),
    ...(withKey ? [ensureRow(client, tokenQuery(id))] : []),
  ]);
}

async function ensureTokens(visit: Visit): Promise<unknown> {
  const { rows } = await ensureList(visit, tokenList(readTokenFilters(visit.search)));
  return rows.length === 0 ? undefined : visit.client.ensureQueryData(limitUseQuery(rows.map(({ id }) => id)));
}

function ensureToken({ client, id }: Visit): Loads {
  if (id === undefined) return [client.ensureQueryData(ownTokensQuery)];
  return [ensureRow(client, tokenQuery(id)), client.ensureQueryData(limitUseQuery([id]))];
}

function ensureChannel({ client, id }: Visit): Loads {
  if (id === undefined) return [];
  return [
    ensureRow(client, channelQuery(id)),
    client.ensureQueryData(trafficQuery(id)),
    client.ensureQueryData(timesQuery(id)),
    client.ensureQueryData(keysQuery(id)),
    client.ensureQueryData(decisionsQuery(id, 0)),
  ];
}

function ensureUser({ client, id }: Visit): Loads {
  if (id === undefined) return [];
  const byName = ({ username }: { readonly username: string }) =>
    Promise.all([
      client.ensureQueryData(requestsOfUserQuery(id, username)),
      client.ensureQueryData(topUpsOfUserQuery(id, username)),
      client.ensureQueryData(auditOfUserQuery(id, username)),
    ]);
  return [
    ensureRow(client, userQuery(id)).then(byName),
    client.ensureQueryData(usageQuery({ range: "month", user: id }, true)),
    client.ensureQueryData(usageQuery({ range: "month", user: id, split: 1 }, true)),
    client.ensureQueryData(tokensOfUserQuery(id)),
  ];
}

const PAGE_QUERIES = {
  about: ({ client }) => [client.ensureQueryData(aboutQuery)],
  audit: (visit) => [
    ensureList(visit, auditList(readAuditFilters(visit.search))),
    visit.client.ensureQueryData(auditSealQuery),
  ],
  channel: ensureChannel,
  channelForm: ({ client, id }) => [
    ...(id === undefined ? [] : [ensureRow(client, channelQuery(id))]),
    client.ensureQueryData(modelsOfTypesQuery),
    client.ensureQueryData(allModelsQuery),
    client.ensureQueryData(groupsQuery),
  ],
  channelMatrix: ({ client, search }) => {
    const { group = DEFAULT_GROUP } = readMatrixSearch(search);
    return [
      client.ensureQueryData(channelMatrixQuery({ group, keyword: listPlaceOf(search).keyword })),
      client.ensureQueryData(groupsQuery),
    ];
  },
  channels: (visit) => [ensureList(visit, channelList(readChannelFilters(visit.search), readGrouping(visit.search)))],
  chat: (visit) => [ensureChat(visit, false), ...ensurePrices(visit)],
  dashboard: ({ client, search, isAdmin }) => [
    client.ensureQueryData(usageQuery(ownDashboardSearch(search, isAdmin), isAdmin)),
    ...(isAdmin ? [client.ensureQueryData(troublesQuery)] : []),
    client.ensureQueryData(logStoreQuery),
  ],
  deliveries: (visit) => [
    ensureList(visit, deliveryList(readDeliveryFilters(visit.search))),
    visit.client.ensureQueryData(allReceiversQuery),
  ],
  home: ensureHome,
  invitationForm: (visit) => [
    visit.client.ensureQueryData(optionsQuery),
    visit.client.ensureQueryData(groupsQuery),
    ...ensurePrices(visit),
  ],
  invitations: (visit) => [ensureList(visit, invitationList(readInvitationFilters(visit.search)))],
  logs: (visit) => {
    const { client, search, isAdmin } = visit;
    const filters = readLogFilters(readLogSearch(search), isAdmin);
    return [ensureList(visit, logList(filters, isAdmin)), client.ensureQueryData(logStoreQuery)];
  },
  managementKey: ({ client, id }) => (id === undefined ? [] : [ensureRow(client, managementKeyQuery(id))]),
  managementKeys: (visit) => [ensureList(visit, keyList)],
  prices: ensurePrices,
  profile: ({ client }) => [client.ensureQueryData(limitUseQuery([]))],
  ratios: ({ client }) => [
    client.ensureQueryData(optionsQuery),
    client.ensureQueryData(listedPricesQuery),
    client.ensureQueryData(comingPricesQuery),
    client.ensureQueryData(optionChangesQuery),
  ],
  recipes: (visit) => [ensureChat(visit, true), ...ensurePrices(visit)],
  receiver: ({ client, id }) => (id === undefined ? [] : [ensureRow(client, receiverQuery(id))]),
  receivers: (visit) => [ensureList(visit, receiverList)],
  redemption: (visit) =>
    visit.id === undefined ? ensurePrices(visit) : [ensureRow(visit.client, redemptionQuery(visit.id))],
  redemptions: (visit) => [ensureList(visit, redemptionList(readRedemptionFilters(visit.search)))],
  registration: ({ client, search }) => {
    const code = textOf(search["invitation"], { most: 64 });
    return code === undefined ? [] : [client.ensureQueryData(invitationQuery(code))];
  },
  settings: ensureSettings,
  status: ({ client }) => (currentStatus().status_page_enabled ? [client.ensureQueryData(availabilityQuery)] : []),
  system: ({ client }) => [client.ensureQueryData(systemQuery)],
  tokenForm: (visit) => [
    ...ensureToken(visit),
    visit.client.ensureQueryData(availableModelsQuery),
    ...ensurePrices(visit),
  ],
  tokens: (visit) => [ensureTokens(visit)],
  topup: ({ client }) => [client.ensureQueryData(ownMonthQuery())],
  user: ensureUser,
  userForm: ({ client, id }) => [
    client.ensureQueryData(accountOptionsQuery),
    ...(id === undefined ? [] : [ensureRow(client, userQuery(id)), client.ensureQueryData(groupsQuery)]),
  ],
  users: (visit) => [
    ensureList(visit, userList(readUserFilters(visit.search))),
    visit.client.ensureQueryData(groupsQuery),
  ],
  whatIf: ({ client }) => [
    client.ensureQueryData(optionsQuery),
    client.ensureQueryData(availableModelsQuery),
    client.ensureQueryData(allChannelsQuery),
  ],
} satisfies Record<string, (visit: Visit) => Loads>;

export type PageWithQueries = keyof typeof PAGE_QUERIES;

/** Loads the data that a page shows first. Data that is there or on its way is not requested again. */
export async function loadQueries(page: PageWithQueries, search: RawSearch, id: number | undefined): Promise<void> {
  await Promise.all(PAGE_QUERIES[page]({ client: queryClient, search, id, isAdmin: isCurrentAdmin() }));
}
