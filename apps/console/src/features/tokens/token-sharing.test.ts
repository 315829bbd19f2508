import { expect, test } from "vitest";
import { clientLink, shopFormat } from "./token-sharing.ts";

const parts = { key: "sk-a/b&c", server: "https://gateway.example:8443", sites: { nextWeb: "", lobeChat: "" } };
const settingsOf = (link: string): unknown =>
  JSON.parse(new URLSearchParams(link.slice(link.indexOf("?"))).get("settings") ?? "");

test("[TLIST-25] [TLIST-29] ChatGPT Next Web gets key and address in the fragment's settings", () => {
  const link = clientLink("nextWeb", { ...parts, sites: { nextWeb: "https://chat.example/", lobeChat: "" } });
  expect(link).toBe(
    "https://chat.example/#/?settings=%7B%22key%22%3A%22sk-a%2Fb%26c%22%2C%22url%22%3A%22https%3A%2F%2Fgateway.example%3A8443%22%7D",
  );
  expect(settingsOf(link)).toEqual({ key: "sk-a/b&c", url: "https://gateway.example:8443" });
});

test("[TLIST-26] [TLIST-29] LobeChat gets key and address with /v1 in its key vault", () => {
  const link = clientLink("lobeChat", {
    ...parts,
    sites: { nextWeb: "https://chat.example/", lobeChat: "https://lobe.example" },
  });
  expect(link).toMatch(/^https:\/\/lobe\.example\/\?settings=%7B%22keyVaults%22/);
  expect(settingsOf(link)).toEqual({
    keyVaults: { openai: { apiKey: "sk-a/b&c", baseURL: "https://gateway.example:8443/v1" } },
  });
});

test("[TLIST-27] [TLIST-29] the OpenCat link", () => {
  expect(clientLink("openCat", parts)).toBe(
    "opencat://team/join?domain=https%3A%2F%2Fgateway.example%3A8443&token=sk-a%2Fb%26c",
  );
});

test("[TLIST-28] [TLIST-29] the BotGem link", () => {
  expect(clientLink("botGem", parts)).toBe(
    "ama://set-api-key?server=https%3A%2F%2Fgateway.example%3A8443&key=sk-a%2Fb%26c",
  );
});

test("without a chat link the projects' public sites open", () => {
  expect(clientLink("nextWeb", parts).startsWith("https://app.nextchat.dev/#/?settings=")).toBe(true);
  expect(clientLink("lobeChat", parts).startsWith("https://lobehub.com/?settings=")).toBe(true);
});

test("[TLIST-08] one token is one line of name and key", () => {
  expect(shopFormat([{ name: "Main", key: "abc" }])).toBe("Main----sk-abc");
});

test("[TLIST-09] several tokens are one line each", () => {
  expect(
    shopFormat([
      { name: "Main", key: "abc" },
      { name: "客服", key: "def" },
    ]),
  ).toBe("Main----sk-abc\n客服----sk-def");
});
