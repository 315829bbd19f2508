import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { storeUser } from "../../../lib/state/session.ts";
import { renderPage } from "../../../testing/render-page.tsx";
import { stubCalls } from "../../../testing/stub-calls.ts";
import { sampleUser } from "../../users/testing/sample-user.ts";
import { SETTINGS_MAP } from "../navigation/settings-map.ts";
import SystemSettings from "./system-settings.tsx";

beforeEach(() => {
  vi.unstubAllGlobals();
  storeUser(sampleUser({ role: 100 }));
});

const options = [
  { key: "PasswordLoginEnabled", value: "true" },
  { key: "RegisterEnabled", value: "true" },
  { key: "EmailDomainWhitelist", value: "a.example,b.example" },
  { key: "SMTPServer", value: "mail.example" },
  { key: "ServerAddress", value: "https://gateway.example" },
];

const sections = SETTINGS_MAP.system.map(({ id }) => <SystemSettings key={id} section={id} />);

async function open(
  secrets: readonly string[] = ["SMTPToken"],
  proof: readonly string[] = ["password"],
  more: Readonly<Record<string, unknown>> = {},
) {
  const sent = stubCalls({
    "GET /api/option/": options,
    "GET /api/option/secrets": secrets,
    "GET /api/option/bindings": { GitHubAddress: 3, LarkAddress: 0, WeChatServerAddress: 1, OidcIssuer: 0 },
    "GET /api/user/factors": { totp_since: 0, recovery_codes_left: 0, passkeys: [], proof, is_required: false },
    ...more,
  });
  await renderPage(sections, { texts: ["settings", "registration"] });
  await screen.findByRole("switch", { name: "Password login" });
  return () => sent.filter(({ method }) => method === "PUT").map(({ body }) => body);
}

const section = (name: string) => within(screen.getByRole("region", { name }));

test("[SYS-03] login by password is turned off only after a question", async () => {
  const saved = await open();
  await userEvent.click(screen.getByRole("switch", { name: "Password login" }));
  const dialog = within(await screen.findByRole("dialog"));
  await userEvent.click(dialog.getByRole("button", { name: "Cancel" }));
  expect(saved()).toEqual([]);
  await userEvent.click(screen.getByRole("switch", { name: "Password login" }));
  await userEvent.click(await screen.findByRole("button", { name: "Turn off" }));
  await waitFor(() => expect(saved()).toEqual([{ key: "PasswordLoginEnabled", value: "false" }]));
});

/** A system where nothing has been set yet. */
const unset = { "GET /api/option/": [], "GET /api/option/bindings": {} };
const linesOf = (rows: readonly (readonly [lines: string, ...unknown[]])[]) => rows.map(([lines]) => lines).join(" ");

/** In the order of the page. */
const switches: readonly (readonly [lines: string, key: string, label: string])[] = [
  ["[SYS-38]", "GlobalProxyEnabled", "Use the proxy for providers"],
  ["[SYS-02]", "PasswordLoginEnabled", "Password login"],
  ["[SYS-04]", "PasswordRegisterEnabled", "Password registration"],
  ["[SYS-05]", "EmailVerificationEnabled", "Require email verification"],
  ["[SYS-07]", "GitHubOAuthEnabled", "Login and sign-up with GitHub"],
  ["[SYS-08]", "WeChatAuthEnabled", "Login and sign-up with WeChat"],
  ["[SYS-06]", "RegisterEnabled", "Registration"],
  ["[SYS-09]", "TurnstileCheckEnabled", "Human check (Turnstile)"],
  ["[SYS-10]", "EmailDomainRestrictionEnabled", "Restrict email domains"],
];

test(`${linesOf(switches)} every switch of the tab saves itself, and nothing else`, async () => {
  const saved = await open([], ["password"], unset);
  for (const [, , label] of switches) {
    const before = saved().length;
    await waitFor(() => expect(screen.getByRole("switch", { name: label })).toHaveProperty("disabled", false));
    fireEvent.click(screen.getByRole("switch", { name: label }));
    await waitFor(() => expect(saved()).toHaveLength(before + 1));
  }
  expect(saved()).toEqual(switches.map(([, key]) => ({ key, value: "true" })));
});

const fields: readonly (readonly [
  lines: string,
  section: string,
  filled: readonly (readonly [key: string, label: string, typed: string])[],
])[] = [
  [
    "[SYS-35] [SYS-37]",
    "Server and proxy",
    [
      ["ServerAddress", "Server address", "https://ai.example"],
      ["HttpProxy", "HTTP or SOCKS proxy", "socks5://10.0.0.1:1080"],
    ],
  ],
  [
    "[SYS-17] [SYS-18] [SYS-21] [SYS-22] [SYS-23]",
    "Email",
    [
      ["SMTPServer", "SMTP server", "mail.example"],
      ["SMTPPort", "SMTP port", "465"],
      ["SMTPAccount", "SMTP account", "us"],
      ["SMTPFrom", "SMTP sender address", "us@mail.example"],
      ["SMTPToken", "SMTP password or token", "word"],
    ],
  ],
  [
    "[SYS-24] [SYS-25]",
    "GitHub",
    [
      ["GitHubClientId", "GitHub client ID", "id"],
      ["GitHubClientSecret", "GitHub client secret", "word"],
    ],
  ],
  [
    "[SYS-26] [SYS-27]",
    "Lark",
    [
      ["LarkClientId", "Lark app ID", "id"],
      ["LarkClientSecret", "Lark app secret", "word"],
    ],
  ],
  [
    "[SYS-28] [SYS-29] [SYS-30]",
    "WeChat server",
    [
      ["WeChatServerAddress", "WeChat server address", "https://wechat.example"],
      ["WeChatAccountQRCodeImageURL", "URL of the WeChat account's QR code", "https://wechat.example/qr.png"],
      ["WeChatServerToken", "WeChat server token", "word"],
    ],
  ],
  [
    "[SYS-31] [SYS-32]",
    "Alerts and Message Pusher",
    [
      ["MessagePusherAddress", "Message Pusher address", "https://pusher.example"],
      // A balance may be less than one of its money.
      ["ChannelBalanceRemindThreshold", "Low channel balance", "0.5"],
      ["MessagePusherToken", "Message Pusher token", "word"],
    ],
  ],
  [
    "[SYS-33] [SYS-34]",
    "Human check (Turnstile)",
    [
      ["TurnstileSiteKey", "Turnstile site key", "site"],
      ["TurnstileSecretKey", "Turnstile secret key", "word"],
    ],
  ],
];

test(`${linesOf(fields)} the fields of each section are saved by its button, secrets last`, async () => {
  const saved = await open([], ["password"], unset);
  for (const [, name, filled] of fields) {
    const before = saved().length;
    for (const [, label, typed] of filled)
      fireEvent.change(section(name).getByLabelText(label), { target: { value: typed } });
    await userEvent.click(section(name).getByRole("button", { name: `Save: ${name}` }));
    const expected = filled.map(([key, , value]) => ({ key, value }));
    await waitFor(() => expect(saved().slice(before)).toEqual(expected));
  }
});

test("[SYS-19] the port's field hints at 587", async () => {
  await open([], ["password"], unset);
  expect(section("Email").getByLabelText("SMTP port").getAttribute("placeholder")).toBe("587");
});

test("[OPER-10] [TEXT-35] a switch saves at once", async () => {
  const saved = await open();
  await userEvent.click(screen.getByRole("switch", { name: "Registration" }));
  await waitFor(() => expect(saved()).toEqual([{ key: "RegisterEnabled", value: "false" }]));
  expect(await screen.findByText("Operation completed successfully!")).toBeDefined();
});

test("[SYS-11] [SYS-12] [SYS-13] [SYS-14] Enter adds a domain, an empty or known one is not added", async () => {
  const saved = await open();
  const domains = section("Email");
  const field = domains.getByRole("textbox", { name: "Add domain" });
  await userEvent.type(field, "{Enter}a.example{Enter} C.example {Enter}");
  await userEvent.click(domains.getByRole("button", { name: "Remove b.example" }));
  await userEvent.click(domains.getByRole("button", { name: "Save: Email" }));
  await waitFor(() => expect(saved()).toEqual([{ key: "EmailDomainWhitelist", value: "a.example,c.example" }]));
});

test("[SYS-15] [SYS-16] the list is saved only when it changed and mail is set up, by a token stored or typed now", async () => {
  const saved = await open([]);
  const domains = section("Email");
  await userEvent.click(domains.getByRole("button", { name: "Save: Email" }));
  expect(domains.queryByRole("alert")).toBeNull();
  await userEvent.click(domains.getByRole("button", { name: "Remove b.example" }));
  await userEvent.click(domains.getByRole("button", { name: "Save: Email" }));
  expect(domains.getByRole("alert").textContent).toContain("Set up email first");
  expect(saved()).toEqual([]);
  await userEvent.type(screen.getByLabelText("SMTP password or token"), "word");
  await userEvent.click(domains.getByRole("button", { name: "Save: Email" }));
  await waitFor(() =>
    expect(saved()).toEqual([
      { key: "EmailDomainWhitelist", value: "a.example" },
      { key: "SMTPToken", value: "word" },
    ]),
  );
});

test("the tests of proxy and Message Pusher say what came of them, at their place", async () => {
  const sent = stubCalls({
    "GET /api/option/": options,
    "GET /api/option/secrets": [],
    "POST /api/option/test_proxy": { status: 401, time: 0.123, proxy: "socks5://10.0.0.1:1080" },
    "POST /api/option/test_push": new Error("Message Pusher is not set up."),
  });
  await renderPage(sections, { texts: ["settings", "registration"] });
  await userEvent.click(await screen.findByRole("button", { name: "Test proxy" }));
  const answer = "api.openai.com responded with status 401 after 0.12 s, through socks5://10.0.0.1:1080.";
  expect(await section("Server and proxy").findByText(answer)).toBeDefined();
  expect(sent.at(-1)?.body).toEqual({ address: "https://api.openai.com/v1/models" });
  await userEvent.click(screen.getByRole("button", { name: "Send test message" }));
  const alert = await section("Alerts and Message Pusher").findByRole("alert");
  expect(alert.textContent).toContain("Message Pusher is not set up.");
});

test("a mail is tried with the address that is typed; without one the field gets the focus", async () => {
  const sent = stubCalls({
    "GET /api/option/": [...options, { key: "SMTPAccount", value: "us" }],
    "GET /api/option/secrets": ["SMTPToken"],
  });
  await renderPage(sections, { texts: ["settings", "registration"] });
  const button = await screen.findByRole("button", { name: "Send test email" });
  const field = screen.getByRole("textbox", { name: "Test email to" });
  await userEvent.click(button);
  expect(document.activeElement).toBe(field);
  expect(sent.filter(({ method }) => method === "POST")).toEqual([]);
  await userEvent.type(field, " mia@example.com");
  await userEvent.click(button);
  expect(await screen.findByText("Test email sent to mia@example.com")).toBeDefined();
  expect(sent.at(-1)?.body).toEqual({ email: "mia@example.com" });
});

test("a mail is tried only with what is saved: what is missing is marked, and what is typed is to be saved first", async () => {
  const sent = stubCalls({ "GET /api/option/": options, "GET /api/option/secrets": [] });
  await renderPage(sections, { texts: ["settings", "registration"] });
  const button = await screen.findByRole("button", { name: "Send test email" });
  const mail = section("Email");
  await userEvent.type(screen.getByRole("textbox", { name: "Test email to" }), "mia@example.com");
  await userEvent.click(button);
  expect((await mail.findByRole("alert")).textContent).toBe("Fill in the marked settings and save them first.");
  const account = mail.getByRole("textbox", { name: "SMTP account" });
  expect(account.getAttribute("aria-invalid")).toBe("true");
  expect(mail.getAllByText("Required for email.")).toHaveLength(2);
  await userEvent.type(account, "us");
  expect(mail.queryByText("Required for email.")).toBeNull();
  await userEvent.type(mail.getByLabelText("SMTP password or token"), "word");
  await userEvent.click(button);
  expect((await mail.findByRole("alert")).textContent).toBe("Save first: the test uses the saved settings.");
  expect(sent.filter(({ method }) => method === "POST")).toEqual([]);
});

test("a changed mail server asks for its token again before anything is saved", async () => {
  const saved = await open();
  const mail = section("Email");
  await userEvent.type(mail.getByRole("textbox", { name: "SMTP port" }), "465");
  await userEvent.click(mail.getByRole("button", { name: "Save: Email" }));
  expect(mail.getByText("Enter it again: it is never sent to a changed address.")).toBeDefined();
  await userEvent.clear(mail.getByRole("textbox", { name: "SMTP port" }));
  await userEvent.type(mail.getByRole("textbox", { name: "SMTP server" }), ".org");
  await userEvent.click(mail.getByRole("button", { name: "Save: Email" }));
  expect(mail.getByText("Enter it again: it is never sent to a changed address.")).toBeDefined();
  expect(saved()).toEqual([]);
  await userEvent.type(screen.getByLabelText("SMTP password or token"), "word");
  await userEvent.click(mail.getByRole("button", { name: "Save: Email" }));
  await waitFor(() => expect(saved()).toHaveLength(2));
  expect(saved()).toEqual([
    { key: "SMTPServer", value: "mail.example.org" },
    { key: "SMTPToken", value: "word" },
  ]);
});

const secretsOfAddresses = [
  ["SMTPToken", "Email", "SMTP port", "SMTP password or token"],
  ["GitHubClientSecret", "GitHub", /^GitHub address/, "GitHub client secret"],
  ["LarkClientSecret", "Lark", /^Lark address/, "Lark app secret"],
  ["OidcClientSecret", "OpenID Connect", "Issuer", "Client secret"],
  ["WeChatServerToken", "WeChat server", "WeChat server address", "WeChat server token"],
  ["TurnstileSecretKey", "Human check (Turnstile)", "Turnstile address", "Turnstile secret key"],
  ["MessagePusherToken", "Alerts and Message Pusher", "Message Pusher address", "Message Pusher token"],
] as const;

test("every secret that must be typed again is marked invalid and gets the focus", async () => {
  const saved = await open(secretsOfAddresses.map(([key]) => key));
  for (const [key, name, address, secret] of secretsOfAddresses) {
    const card = section(name);
    const field = card.getByLabelText(secret);
    fireEvent.change(card.getByRole("textbox", { name: address }), { target: { value: "465" } });
    fireEvent.click(card.getByRole("button", { name: `Save: ${name}` }));
    await waitFor(() => expect(document.activeElement, key).toBe(field));
    expect(field.getAttribute("aria-invalid"), key).toBe("true");
    fireEvent.change(field, { target: { value: "w" } });
    expect(field.hasAttribute("aria-invalid"), key).toBe(false);
  }
  expect(saved()).toEqual([]);
});

test("the field of an option that the server refuses is marked invalid and gets the focus", async () => {
  await open();
  const answer = globalThis.fetch;
  const refusal = { success: false, message: "SMTPFrom is no address.", code: "option-not-mail", field: "value" };
  vi.stubGlobal("fetch", (address: string, init?: RequestInit) =>
    init?.method === "PUT"
      ? Promise.resolve(Response.json({ ...refusal, values: { option: "SMTPFrom" } }))
      : answer(address, init),
  );
  const mail = section("Email");
  const field = mail.getByRole("textbox", { name: "SMTP sender address" });
  fireEvent.change(field, { target: { value: "nobody" } });
  fireEvent.click(mail.getByRole("button", { name: "Save: Email" }));
  await waitFor(() => expect(document.activeElement).toBe(field));
  expect(field.getAttribute("aria-invalid")).toBe("true");
});

test("a changed provider's address is saved after a question that counts the accounts that it shuts out", async () => {
  const saved = await open();
  const github = section("GitHub");
  const change = async () => {
    await userEvent.type(github.getByRole("textbox", { name: /^GitHub address/ }), "https://ghe.example");
    await userEvent.click(github.getByRole("button", { name: "Save: GitHub" }));
  };
  await change();
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.getByText(/^3 accounts are linked at the current address of GitHub/)).toBeDefined();
  await userEvent.click(dialog.getByRole("button", { name: "Cancel" }));
  expect(saved()).toEqual([]);
  await userEvent.click(github.getByRole("button", { name: "Save: GitHub" }));
  await userEvent.click(await screen.findByRole("button", { name: "Change" }));
  await waitFor(() => expect(saved()).toEqual([{ key: "GitHubAddress", value: "https://ghe.example" }]));
});

test("an address where nobody is bound is saved without a question", async () => {
  const saved = await open();
  const lark = section("Lark");
  await userEvent.type(lark.getByRole("textbox", { name: /^Lark address/ }), "https://lark.example");
  await userEvent.click(lark.getByRole("button", { name: "Save: Lark" }));
  await waitFor(() => expect(saved()).toEqual([{ key: "LarkAddress", value: "https://lark.example" }]));
});

test("who has no second factor is asked before administrators need one", async () => {
  const saved = await open();
  const name = "Require two-step login for administrators";
  await userEvent.click(screen.getByRole("switch", { name }));
  expect(await screen.findByText("You have no two-step login")).toBeDefined();
  expect(saved()).toEqual([]);
  await userEvent.click(screen.getByRole("button", { name: "Turn on anyway" }));
  await waitFor(() => expect(saved()).toEqual([{ key: "AdminSecondFactorEnabled", value: "true" }]));
});

test("who has a second factor is not", async () => {
  const saved = await open([], ["password", "factor"]);
  await userEvent.click(screen.getByRole("switch", { name: "Require two-step login for administrators" }));
  await waitFor(() => expect(saved()).toEqual([{ key: "AdminSecondFactorEnabled", value: "true" }]));
});

const changedBy = (key: string) => ({ key, changed_at: 1_700_000_000, actor_name: "root" });
const change = { id: 7, changed_at: 1_700_000_000, actor_name: "root", detail_count: 1, can_revert: true };
const withDefaults = {
  "GET /api/option/": [
    { key: "PasswordLoginEnabled", value: "false", default: "true" },
    { key: "RegisterEnabled", value: "true", default: "true" },
    { key: "SMTPServer", value: "mail.example", default: "" },
    { key: "SMTPPort", value: "587", default: "587" },
  ],
  "GET /api/audit/options": [changedBy("PasswordLoginEnabled"), changedBy("SMTPPort")],
  "GET /api/audit/options/PasswordLoginEnabled": [{ ...change, details: [{ field: "", from: "true", to: "false" }] }],
  "GET /api/audit/options/SMTPPort": [
    { ...change, id: 9, details: [{ field: "", from: "465", to: "587" }] },
    { ...change, actor_name: "", details: [{ field: "", from: "587", to: "465" }] },
  ],
  "GET /api/audit/options/SMTPServer": [],
  "GET /api/audit/options/SMTPPort/9": { value: "465" },
};

test("what differs from its default is marked: the mark says what that is and who changed it, and puts it back", async () => {
  const saved = await open([], ["password"], withDefaults);
  await screen.findByRole("button", { name: "Password login: modified" });
  expect(screen.queryByRole("button", { name: /^(Registration|SMTP port): modified/ })).toBeNull();
  const marks = screen.getAllByRole("button", { name: /: modified$/ });
  expect(marks).toHaveLength(2);
  await userEvent.click(screen.getByRole("button", { name: "Password login: modified" }));
  const box = within(await screen.findByRole("dialog", { name: "Password login" }));
  expect(box.getByText("Default").nextSibling?.textContent).toBe("on");
  expect((await box.findByRole("listitem")).textContent).toMatch(/^root · 2023-11-1.*onoffRevert$/);
  await userEvent.click(box.getByRole("button", { name: "Reset to default" }));
  await waitFor(() => expect(saved()).toEqual([{ key: "PasswordLoginEnabled", value: "true" }]));
});

test("an option at its default has its history, and each change is reverted with one press", async () => {
  const saved = await open([], ["password"], withDefaults);
  const port = screen.getByRole("textbox", { name: "SMTP port" });
  await userEvent.type(port, "1");
  await userEvent.click(await screen.findByRole("button", { name: "SMTP port: history" }));
  const box = within(await screen.findByRole("dialog", { name: "SMTP port" }));
  expect(box.queryByRole("button", { name: "Reset to default" })).toBeNull();
  const changes = await box.findAllByRole("listitem");
  expect(changes).toHaveLength(2);
  expect(changes[0]?.textContent).toContain("465587Revert");
  expect(box.getByRole("link", { name: /All changes/ }).getAttribute("href")).toBe("/audit?object=option%3ASMTPPort");
  const [revert] = box.getAllByRole("button", { name: /^Revert the change of 2023-11-1/ });
  if (revert !== undefined) await userEvent.click(revert);
  await waitFor(() => expect(saved()).toEqual([{ key: "SMTPPort", value: "465" }]));
  await waitFor(() => expect(port).toHaveProperty("value", "587"));
});

test("a field goes back to its default with what was typed into it; a refusal says why in its place", async () => {
  const refused = { "PUT /api/option/": new Error("Turn the switch off first.") };
  const saved = await open([], ["password"], { ...withDefaults, ...refused });
  const server = await screen.findByRole("textbox", { name: "SMTP server" });
  await userEvent.type(server, ".org");
  const mark = screen.getByRole("button", { name: "SMTP server: modified" });
  await userEvent.click(mark);
  const box = within(await screen.findByRole("dialog", { name: "SMTP server" }));
  expect(box.getByText("Default").nextSibling?.textContent).toBe("empty");
  expect(await box.findByText("No recorded changes")).toBeTruthy();
  await userEvent.click(box.getByRole("button", { name: "Reset to default" }));
  expect(await box.findByText(/Turn the switch off first/)).toBeTruthy();
  expect(server).toHaveProperty("value", "mail.example.org");
  stubCalls(withDefaults);
  await userEvent.click(box.getByRole("button", { name: "Reset to default" }));
  await waitFor(() => expect(server).toHaveProperty("value", "mail.example"));
  expect(saved()).toEqual([{ key: "SMTPServer", value: "" }]);
});

test("of a secret it is told that it is set, by whom and when, and nothing else", async () => {
  const history = [{ ...change, details: [], detail_count: 0, can_revert: false }];
  await open(["SMTPToken"], ["password"], { ...withDefaults, "GET /api/audit/options/SMTPToken": history });
  await userEvent.click(await screen.findByRole("button", { name: /: set$/ }));
  const box = within(await screen.findByRole("dialog"));
  expect(box.getByText(/It is never shown/)).toBeTruthy();
  expect((await box.findByRole("listitem")).textContent).toMatch(/^root · 2023-11-1[\d :-]*$/);
  expect(box.queryByRole("button")).toBeNull();
});

test("administrators see no setting that root alone may set, and are told so", async () => {
  storeUser(sampleUser({ role: 10 }));
  await open();
  expect(section("Server and proxy").getByText("Only the super administrator can change these settings.")).toBeTruthy();
  expect(section("Server and proxy").queryByRole("button")).toBeNull();
  expect(screen.queryByRole("textbox", { name: /Server address|Client id|Site key/i })).toBeNull();
  expect(screen.queryByLabelText(/token|secret/i)).toBeNull();
});
