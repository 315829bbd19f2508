import { type Call, nothing } from "../call.ts";

/** Calls of One API's management API, with its paths. */
export const ONE_API_CALLS: ReadonlySet<string> = new Set([
  "GET /api/status",
  "GET /api/notice",
  "GET /api/about",
  "GET /api/home_page_content",
  "GET /api/models",
  "GET /api/verification",
  "GET /api/reset_password",
  "GET /api/oauth/state",
  "GET /api/oauth/github",
  "GET /api/oauth/lark",
  "GET /api/oauth/wechat",
  "GET /api/oauth/wechat/bind",
  "GET /api/oauth/email/bind",
  "POST /api/user/login",
  "GET /api/user/logout",
  "POST /api/user/register",
  "POST /api/user/reset",
  "GET /api/user/token",
  "GET /api/user/aff",
  "GET /api/user/self",
  "PUT /api/user/self",
  "DELETE /api/user/self",
  "GET /api/user/available_models",
  "POST /api/user/topup",
  "GET /api/user/",
  "GET /api/user/search",
  "GET /api/user/:id",
  "POST /api/user/",
  "PUT /api/user/",
  "POST /api/user/manage",
  "GET /api/group/",
  "POST /api/topup",
  "GET /api/option/",
  "PUT /api/option/",
  "GET /api/channel/",
  "GET /api/channel/search",
  "GET /api/channel/models",
  "GET /api/channel/:id",
  "POST /api/channel/",
  "PUT /api/channel/",
  "DELETE /api/channel/:id/",
  "DELETE /api/channel/disabled",
  "GET /api/channel/test",
  "GET /api/channel/test/:id",
  "GET /api/channel/update_balance",
  "GET /api/channel/update_balance/:id/",
  "POST /api/channel/update_abilities",
  "GET /api/token/",
  "GET /api/token/search",
  "GET /api/token/:id",
  "POST /api/token/",
  "PUT /api/token/",
  "DELETE /api/token/:id/",
  "POST /api/token/alert",
  "GET /api/redemption/",
  "GET /api/redemption/search",
  "GET /api/redemption/:id",
  "POST /api/redemption/",
  "PUT /api/redemption/",
  "DELETE /api/redemption/:id/",
  "GET /api/log/",
  "GET /api/log/self/",
  "GET /api/log/stat",
  "GET /api/log/self/stat",
  "DELETE /api/log/",
]);

/** Sent by One API's console with the theme "air", and ignored by One API's server. */
const IGNORED_PARAMETERS: ReadonlySet<string> = new Set(["page_size", "id_sort"]);

/** Whether older clients may send the call's body with more fields than it takes: they return rows as they got them. */
export function takesUnknownFields({ method, path }: Pick<Call, "method" | "path">): boolean {
  return ONE_API_CALLS.has(`${method} ${path}`);
}

/**
 * Whether the call ignores the unknown parameter. An empty one filters nothing, One API's console sends two more, and
 * monitors add one against caches to public texts.
 */
export function ignoresParameter(call: Call, name: string, value: unknown): boolean {
  if (!takesUnknownFields(call)) return false;
  return value === "" || IGNORED_PARAMETERS.has(name) || (call.access === "anyone" && call.query === nothing);
}
