import * as calls from "@one-api/contract/redemption";
import type { CallRegistry } from "../../core/call-registry.ts";
import { answerList } from "../../core/lists/list-page.ts";
import type { OptionStore } from "../../core/option-store.ts";
import type { QuotaLedger } from "@one-api/ledger/quota";
import { createRedemptions } from "./create-redemptions.ts";
import { getRedemption, searchRedemptions } from "./list-redemptions.ts";
import { redeemCode } from "./redeem-code.ts";
import { deleteRedemption, setRedemptionStatus, updateRedemption } from "./update-redemption.ts";

interface RedemptionCallDeps {
  readonly options: OptionStore;
  readonly ledger: QuotaLedger;
}

export function registerRedemptionCalls(registry: CallRegistry, deps: RedemptionCallDeps): void {
  registry.register(calls.listRedemptions, async ({ context, query, setTotal }) =>
    answerList(await searchRedemptions(context, { ...query, keyword: "" }), setTotal),
  );
  registry.register(calls.searchRedemptions, async ({ context, query, setTotal }) =>
    answerList(await searchRedemptions(context, query), setTotal),
  );
  registry.register(calls.getRedemption, ({ context, params }) => getRedemption(context, params.id));
  registry.register(calls.createRedemptions, ({ context, body }) => createRedemptions(context, body));
  registry.register(calls.updateRedemption, ({ context, query, body }) =>
    query.status_only ? setRedemptionStatus(context, body.id, body.status) : updateRedemption(context, body),
  );
  registry.register(calls.deleteRedemption, async ({ context, params }) => {
    await deleteRedemption(context, params.id);
    return null;
  });
  registry.register(calls.redeemCode, ({ context, body }) => redeemCode(context, body.key, deps));
}
