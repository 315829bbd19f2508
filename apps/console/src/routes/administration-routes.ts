import { createRoute } from "@tanstack/react-router";
import { readAuditSearch } from "../features/audit/audit-search.ts";
import { readInvitationListSearch } from "../features/invitations/invitation-list-search.ts";
import { readDeliveryListSearch } from "../features/notifications/deliveries/delivery-list-search.ts";
import { readRedemptionListSearch } from "../features/redemptions/redemption-list-search.ts";
import { readUserListSearch } from "../features/users/user-list-search.ts";
import { readListSearch } from "../lib/list/list-search.ts";
import { pageOptions } from "./page-options.tsx";
import { rootRoute } from "./root-route.ts";
import { rowIdParams } from "./page-options.tsx";

const root = () => rootRoute;

const users = createRoute({
  getParentRoute: root,
  path: "/user",
  validateSearch: readUserListSearch,
  ...pageOptions({
    access: "admin",
    load: () => import("../features/users/user-list-page.tsx"),
    queries: "users",
    texts: ["users", "budgets"],
  }),
});

const userForm = {
  access: "admin",
  load: () => import("../features/users/user-form-page.tsx"),
  queries: "userForm",
  texts: ["users", "budgets", "limits", "refusals"],
} as const;

const addUser = createRoute({ getParentRoute: root, path: "/user/add", ...pageOptions(userForm) });

const editUser = createRoute({
  getParentRoute: root,
  path: "/user/edit/$id",
  params: rowIdParams,
  ...pageOptions(userForm),
});

const user = createRoute({
  getParentRoute: root,
  path: "/user/$id",
  params: rowIdParams,
  ...pageOptions({
    access: "admin",
    load: () => import("../features/user-page/user-page.tsx"),
    queries: "user",
    texts: ["user-page", "users", "dashboard", "tokens", "logs", "channel-reasons", "limits", "budgets"],
  }),
});

const invitations = createRoute({
  getParentRoute: root,
  path: "/user/invitation",
  validateSearch: readInvitationListSearch,
  ...pageOptions({
    access: "admin",
    load: () => import("../features/invitations/invitation-list-page.tsx"),
    queries: "invitations",
    texts: ["invitations"],
  }),
});

const addInvitations = createRoute({
  getParentRoute: root,
  path: "/user/invitation/add",
  ...pageOptions({
    access: "admin",
    load: () => import("../features/invitations/invitation-form-page.tsx"),
    queries: "invitationForm",
    texts: ["invitations", "refusals"],
  }),
});

const redemptions = createRoute({
  getParentRoute: root,
  path: "/redemption",
  validateSearch: readRedemptionListSearch,
  ...pageOptions({
    access: "admin",
    load: () => import("../features/redemptions/redemption-list-page.tsx"),
    queries: "redemptions",
    texts: ["redemptions"],
  }),
});

const redemptionForm = {
  access: "admin",
  load: () => import("../features/redemptions/redemption-form-page.tsx"),
  queries: "redemption",
  texts: ["redemptions", "refusals"],
} as const;

const addRedemptions = createRoute({ getParentRoute: root, path: "/redemption/add", ...pageOptions(redemptionForm) });

const editRedemption = createRoute({
  getParentRoute: root,
  path: "/redemption/edit/$id",
  params: rowIdParams,
  ...pageOptions(redemptionForm),
});

const audit = createRoute({
  getParentRoute: root,
  path: "/audit",
  validateSearch: readAuditSearch,
  ...pageOptions({
    access: "admin",
    load: () => import("../features/audit/audit-page.tsx"),
    queries: "audit",
    texts: ["audit", "budgets", "channel-reasons", "channels", "logs", "redemptions", "tokens", "users"],
  }),
});

const system = createRoute({
  getParentRoute: root,
  path: "/system",
  ...pageOptions({
    access: "admin",
    load: () => import("../features/system/system-page.tsx"),
    queries: "system",
    texts: ["system"],
  }),
});

const whatIf = createRoute({
  getParentRoute: root,
  path: "/what-if",
  ...pageOptions({
    access: "admin",
    load: () => import("../features/what-if/what-if-page.tsx"),
    queries: "whatIf",
    texts: ["what-if", "channel-form"],
  }),
});

const ratios = createRoute({
  getParentRoute: root,
  path: "/setting/ratios",
  // The page reads its address itself; here are only the types of links to it.
  validateSearch: (search: { model?: string | undefined }) => search,
  ...pageOptions({
    access: "admin",
    load: () => import("../features/settings/operation/ratios/ratios-page.tsx"),
    queries: "ratios",
    texts: ["settings"],
  }),
});

const notifications = createRoute({
  getParentRoute: root,
  path: "/notifications",
  validateSearch: readListSearch,
  ...pageOptions({
    access: "admin",
    load: () => import("../features/notifications/receivers/receiver-list-page.tsx"),
    queries: "receivers",
    texts: ["notifications"],
  }),
});

const deliveries = createRoute({
  getParentRoute: root,
  path: "/notifications/deliveries",
  validateSearch: readDeliveryListSearch,
  ...pageOptions({
    access: "admin",
    load: () => import("../features/notifications/deliveries/delivery-list-page.tsx"),
    queries: "deliveries",
    texts: ["notifications"],
  }),
});

const receiverForm = {
  access: "admin",
  load: () => import("../features/notifications/receivers/receiver-form-page.tsx"),
  queries: "receiver",
  texts: ["notifications", "refusals"],
} as const;

const addReceiver = createRoute({ getParentRoute: root, path: "/notifications/add", ...pageOptions(receiverForm) });

const editReceiver = createRoute({
  getParentRoute: root,
  path: "/notifications/edit/$id",
  params: rowIdParams,
  ...pageOptions(receiverForm),
});

const managementKeys = createRoute({
  getParentRoute: root,
  path: "/management-keys",
  validateSearch: readListSearch,
  ...pageOptions({
    access: "admin",
    load: () => import("../features/management-keys/key-list-page.tsx"),
    queries: "managementKeys",
    texts: ["management-keys"],
  }),
});

const managementKeyForm = {
  access: "admin",
  load: () => import("../features/management-keys/key-form-page.tsx"),
  queries: "managementKey",
  texts: ["management-keys", "refusals"],
} as const;

const addManagementKey = createRoute({
  getParentRoute: root,
  path: "/management-keys/add",
  ...pageOptions(managementKeyForm),
});

const editManagementKey = createRoute({
  getParentRoute: root,
  path: "/management-keys/edit/$id",
  params: rowIdParams,
  ...pageOptions(managementKeyForm),
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
