import * as calls from "@one-api/contract/token";
import type { CallRegistry } from "../../core/call-registry.ts";
import { answerList } from "../../core/lists/list-page.ts";
import type { OptionStore } from "../../core/option-store.ts";
import type { QuotaLedger } from "@one-api/ledger/quota";
import type { Mailer } from "../mail/index.ts";
import { createToken } from "./create-token.ts";
import { deleteToken } from "./delete-token.ts";
import { endOldTokenKey } from "./key/end-old-token-key.ts";
import { rollTokenKey } from "./key/roll-token-key.ts";
import { getToken, listTokens, searchTokens } from "./list-tokens.ts";
import { sendTokenAlert } from "./alerts/send-token-alert.ts";
import { setTokenStatus } from "./set-token-status.ts";
import { updateToken } from "./update-token.ts";

interface TokenCallDeps {
  readonly options: OptionStore;
  readonly ledger: QuotaLedger;
  readonly mailer: Mailer;
}

export function registerTokenCalls(registry: CallRegistry, deps: TokenCallDeps): void {
  const { options, ledger, mailer } = deps;
  registry.register(calls.listTokens, async ({ context, query, setTotal }) =>
    answerList(await listTokens(context, query), setTotal),
  );
  registry.register(calls.searchTokens, async ({ context, query, setTotal }) =>
    answerList(await searchTokens(context, query), setTotal),
  );
  registry.register(calls.getToken, async ({ context, params }) => getToken(context, params.id));
  registry.register(calls.createToken, async ({ context, body }) => createToken(context, deps, body));
  registry.register(calls.updateToken, async ({ context, query, body }) =>
    query.status_only ? setTokenStatus(context, body.id, body.status) : updateToken(context, deps, body),
  );
  registry.register(calls.rollTokenKey, async ({ context, params, body }) =>
    rollTokenKey(context, ledger, { id: params.id, overlapSeconds: body.overlap_seconds }),
  );
  registry.register(calls.endOldTokenKey, async ({ context, params }) => endOldTokenKey(context, params.id));
  registry.register(calls.deleteToken, async ({ context, params }) => {
    await deleteToken(context, ledger, params.id);
    return null;
  });
  registry.register(calls.sendTokenAlert, ({ context, query, header }) =>
    sendTokenAlert(context, query, { options, mailer, language: header("accept-language") }),
  );
}
