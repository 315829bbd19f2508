import { createRoute } from "@tanstack/react-router";
import type { AuditSearch } from "../features/audit/audit-search.ts";
import { readInvitationListSearch } from "../features/invitations/invitation-list-search.ts";
import { readDeliveryListSearch } from "../features/notifications/deliveries/delivery-list-search.ts";
import { readRedemptionListSearch } from "../features/redemptions/redemption-list-search.ts";
import { readRatiosSearch } from "../features/settings/operation/ratios/ratios-search.ts";
import { readUserListSearch } from "../features/users/user-list-search.ts";
import { readListSearch } from "../lib/list/list-search.ts";
import { pageOptions, rowIdParams } from "./page-options.tsx";
import { PAGES } from "./pages.ts";
import { rootRoute } from "./root-route.ts";

const root = () => rootRoute;

const users = createRoute({
  getParentRoute: root,
  path: "/user",
  validateSearch: readUserListSearch,
  ...pageOptions(PAGES["/user"]),
});

const addUser = createRoute({ getParentRoute: root, path: "/user/add", ...pageOptions(PAGES["/user/add"]) });

const editUser = createRoute({
  getParentRoute: root,
  path: "/user/edit/$id",
  params: rowIdParams,
  ...pageOptions(PAGES["/user/edit/$id"]),
});

const user = createRoute({
  getParentRoute: root,
  path: "/user/$id",
  params: rowIdParams,
  ...pageOptions(PAGES["/user/$id"]),
});

const invitations = createRoute({
  getParentRoute: root,
  path: "/user/invitation",
  validateSearch: readInvitationListSearch,
  ...pageOptions(PAGES["/user/invitation"]),
});

const addInvitations = createRoute({
  getParentRoute: root,
  path: "/user/invitation/add",
  ...pageOptions(PAGES["/user/invitation/add"]),
});

const redemptions = createRoute({
  getParentRoute: root,
  path: "/redemption",
  validateSearch: readRedemptionListSearch,
  ...pageOptions(PAGES["/redemption"]),
});

const addRedemptions = createRoute({
  getParentRoute: root,
  path: "/redemption/add",
  ...pageOptions(PAGES["/redemption/add"]),
});

const editRedemption = createRoute({
  getParentRoute: root,
  path: "/redemption/edit/$id",
  params: rowIdParams,
  ...pageOptions(PAGES["/redemption/edit/$id"]),
});

const audit = createRoute({
  getParentRoute: root,
  path: "/audit",
  // The page reads its address itself; here are only the types of links to it.
  validateSearch: (search: AuditSearch) => search,
  ...pageOptions(PAGES["/audit"]),
});

const system = createRoute({
  getParentRoute: root,
  path: "/system",
  ...pageOptions(PAGES["/system"]),
});

const whatIf = createRoute({
  getParentRoute: root,
  path: "/what-if",
  ...pageOptions(PAGES["/what-if"]),
});

const ratios = createRoute({
  getParentRoute: root,
  path: "/setting/ratios",
  validateSearch: readRatiosSearch,
  ...pageOptions(PAGES["/setting/ratios"]),
});

const notifications = createRoute({
  getParentRoute: root,
  path: "/notifications",
  validateSearch: readListSearch,
  ...pageOptions(PAGES["/notifications"]),
});

const deliveries = createRoute({
  getParentRoute: root,
  path: "/notifications/deliveries",
  validateSearch: readDeliveryListSearch,
  ...pageOptions(PAGES["/notifications/deliveries"]),
});

const addReceiver = createRoute({
  getParentRoute: root,
  path: "/notifications/add",
  ...pageOptions(PAGES["/notifications/add"]),
});

const editReceiver = createRoute({
  getParentRoute: root,
  path: "/notifications/edit/$id",
  params: rowIdParams,
  ...pageOptions(PAGES["/notifications/edit/$id"]),
});

const managementKeys = createRoute({
  getParentRoute: root,
  path: "/management-keys",
  validateSearch: readListSearch,
  ...pageOptions(PAGES["/management-keys"]),
});

const addManagementKey = createRoute({
  getParentRoute: root,
  path: "/management-keys/add",
  ...pageOptions(PAGES["/management-keys/add"]),
});

const editManagementKey = createRoute({
  getParentRoute: root,
  path: "/management-keys/edit/$id",
  params: rowIdParams,
  ...pageOptions(PAGES["/management-keys/edit/$id"]),
});

/** Pages on users, redemption codes, management keys, receivers of alerts, the audit trail and the servers, for administrators. */
export const administrationRoutes = [
  users,
  addUser,
  editUser,
  user,
  invitations,
  addInvitations,
  redemptions,
  addRedemptions,
  editRedemption,
  audit,
  system,
  whatIf,
  ratios,
  notifications,
  deliveries,
  addReceiver,
  editReceiver,
  managementKeys,
  addManagementKey,
  editManagementKey,
] as const;
