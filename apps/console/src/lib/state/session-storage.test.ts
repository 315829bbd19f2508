import { renderHook } from "@testing-library/react";
import { expect, test } from "vitest";
import { clearUser, currentUser, restoreUser, storeUser } from "./session.ts";
import { restoreStatus, storeStatus, useStoredStatus } from "./stored-status.ts";

const status = {
  version: "1.2.3",
  start_time: 1,
  email_verification: true,
  github_oauth: true,
  github_client_id: "gh",
  lark_client_id: "lark",
  wechat_login: true,
  wechat_qrcode: "https://example.com/qr.png",
  turnstile_check: true,
  turnstile_site_key: "site",
  system_name: "Our API",
  logo: "https://example.com/logo.png",
  footer_html: "<b>foot</b>",
  theme: "berry",
  server_address: "https://api.example.com",
  top_up_link: "https://shop.example.com",
  chat_link: "https://chat.example.com",
  chat_link_next_web: "https://next.example.com",
  quota_per_unit: 1000,
  display_in_currency: false,
};

const shownStatus = () => renderHook(useStoredStatus).result.current;

test("[START-33] [LOGIN-13] [ENT-096] the user is stored as JSON under `user` and restored from there", () => {
  storeUser({ id: 1, username: "root", display_name: "Root", role: 100, status: 1 });
  expect(JSON.parse(localStorage.getItem("user") ?? "")).toMatchObject({ username: "root", role: 100 });
  localStorage.setItem("user", JSON.stringify({ username: "old", role: 10 }));
  restoreUser();
  expect(currentUser()).toMatchObject({ username: "old", role: 10 });
  clearUser();
  expect(localStorage.getItem("user")).toBeNull();
});

test("a stored user that is no JSON is nobody", () => {
  localStorage.setItem("user", "{broken");
  restoreUser();
  expect(currentUser()).toBeUndefined();
});

test("[START-35] [ENT-097..113] the status is stored under the keys of the specification", () => {
  storeStatus(status);
  expect(JSON.parse(localStorage.getItem("status") ?? "")).toMatchObject({
    email_verification: true,
    turnstile_check: true,
    turnstile_site_key: "site",
    github_oauth: true,
    github_client_id: "gh",
    wechat_login: true,
    wechat_qrcode: "https://example.com/qr.png",
    lark_client_id: "lark",
    github_address: "",
    lark_address: "",
    turnstile_address: "",
    register_enabled: true,
    chat_link_next_web: "https://next.example.com",
    chat_link_lobe: "",
  });
  const others = [
    "system_name",
    "logo",
    "footer_html",
    "quota_per_unit",
    "display_in_currency",
    "chat_link",
    "server_address",
    "top_up_link",
    "version",
    "theme",
  ];
  expect(others.map((key) => localStorage.getItem(key))).toEqual([
    "Our API",
    "https://example.com/logo.png",
    "<b>foot</b>",
    "1000",
    "false",
    "https://chat.example.com",
    "https://api.example.com",
    "https://shop.example.com",
    "1.2.3",
    "berry",
  ]);
});

test("what is stored is there again on the next start; what is empty falls back", () => {
  storeStatus({ ...status, chat_link: "", logo: "" });
  restoreStatus();
  expect(shownStatus()).toMatchObject({
    quota_per_unit: 1000,
    display_in_currency: false,
    chat_link: "",
    logo: "/logo.png",
  });
  expect(localStorage.getItem("chat_link")).toBeNull();
  localStorage.clear();
  restoreStatus();
  expect(shownStatus()).toMatchObject({ system_name: "One API", logo: "/logo.png", quota_per_unit: 500_000 });
});
