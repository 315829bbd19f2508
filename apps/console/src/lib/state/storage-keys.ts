/** Keys of the browser's local storage. What they hold is for first paint and display, never trusted. */
export const STORAGE_KEY = {
  user: "user",
  status: "status",
  systemName: "system_name",
  logo: "logo",
  footerHtml: "footer_html",
  quotaPerUnit: "quota_per_unit",
  displayInCurrency: "display_in_currency",
  chatLink: "chat_link",
  serverAddress: "server_address",
  topUpLink: "top_up_link",
  version: "version",
  theme: "theme",
  inviteCode: "aff",
  channelModels: "channel_models",
  channelDetails: "channel_details",
  colorScheme: "color_scheme",
  language: "language",
  menuCollapsed: "menu_collapsed",
  noticeSeen: "notice_seen",
  columns: "columns",
  columnWidths: "column_widths",
  /** "compact" where rows of tables are low. */
  rowHeight: "row_height",
  /** Whether the bars above the log are "shown" or "hidden". */
  logHistogram: "log_histogram",
  pageSize: "page_size",
  /** "ready" once the browser has the console's font: the next visit starts with it. */
  font: "font",
  playground: "playground",
  /** "true" after root logged in with the default password, until another one is set. */
  defaultPassword: "default_password",
} as const;
