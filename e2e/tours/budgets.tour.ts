import { expect } from "@playwright/test";
import { z } from "zod";
import { tour } from "./stage.ts";

const MODEL = "gpt-4o-mini";
const BUDGET = { quota: 1_000, period: "daily" } as const;

const selfSchema = z.object({
  group_budget: z.nullable(z.object({ group: z.string(), budget: z.object({ quota: z.number(), used: z.number() }) })),
});
const refusalSchema = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

tour("a group spends its budget together, its members see what is left, and it resets", async ({ stage }) => {
  const provider = await stage.provider();
  await stage.addChannel("North", { models: MODEL, group: "team", base_url: provider.at("openai") });
  await stage.setOption("GroupRatio", { default: 1, team: 1 });
  await stage.setOption("ModelRatio", { [MODEL]: 1 });
  await stage.setOption("CompletionRatio", { [MODEL]: 1 });
  await stage.root.send("PUT", "/api/user/", { id: 1, group: "team" });
  await stage.root.send("PUT", "/api/group/budget", { group: "team", budget: BUDGET });
  const key = await stage.addToken("app");
  const own = async () => selfSchema.parse(await stage.root.get("/api/user/self")).group_budget;
  const ask = (max_tokens: number) => stage.ask(key, { model: MODEL, fields: { max_tokens } });

  expect((await ask(100)).status).toBe(200);
  await expect.poll(async () => (await own())?.budget.used ?? 0).toBeGreaterThan(0);
  expect(await own()).toMatchObject({ group: "team", budget: { quota: BUDGET.quota } });
  await stage.open("/token");
  await expect(stage.page.getByRole("region", { name: "Budget of group team" })).toBeVisible();
  await stage.photograph("left");

  const refused = await ask(5_000);
  expect(refused.status).toBe(429);
  const { error } = refusalSchema.parse(JSON.parse(refused.text));
  expect(error.code).toBe("budget_exceeded");
  expect(error.message).toMatch(/daily budget of the group team.* renews at \d{4}-\d\d-\d\dT00:00:00Z/);
  // The log writes refusals a moment later.
  await expect.poll(() => stage.root.get("/api/log/self/?result=over-budget"), { timeout: 20_000 }).toHaveLength(1);
  await stage.open("/topup");
  await expect(stage.page.getByText("The group's budget does not cover requests")).toBeVisible();
  await stage.photograph("too-small");

  await stage.open("/setting?tab=operation&section=limits");
  await expect(stage.page.getByRole("button", { name: "Set group budget" })).toBeVisible();
  await stage.photograph("setting");

  await stage.skipDay();
  expect((await own())?.budget.used).toBe(0);
  expect((await ask(100)).status).toBe(200);
});
