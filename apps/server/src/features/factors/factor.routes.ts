import * as calls from "@one-api/contract/accounts/factor";
import { requireActor } from "../../core/call-context.ts";
import type { CallInput, CallRegistry } from "../../core/call-registry.ts";
import type { Call } from "@one-api/contract/call";
import type { OptionStore } from "../../core/option-store.ts";
import type { EndSessions, PasswordHasher } from "../users/index.ts";
import { countRecoveryCodes, findTotp, listPasskeys } from "./factor.repository.ts";
import { proveSession } from "./fresh-proof.ts";
import { addPasskey, askProofPasskey, beginPasskey, renamePasskey } from "./passkeys.ts";
import { requiredProofs } from "./prove-owner.ts";
import { createRecoveryCodes, removePasskey, removeTotp, resetFactors } from "./remove-factors.ts";
import { beginTotp, confirmTotp } from "./set-up-totp.ts";

interface FactorCallDeps {
  readonly options: OptionStore;
  readonly hasher: PasswordHasher;
  readonly endSessions: EndSessions;
}

export function registerFactorCalls(registry: CallRegistry, deps: FactorCallDeps): void {
  const proofDeps = ({ stepCookie, header }: Pick<CallInput<Call>, "stepCookie" | "header">) => ({
    ...deps,
    stepCookie,
    host: header("host") ?? "",
  });
  registry.register(calls.getFactors, ({ context }) => presentFactors(context));
  registry.register(calls.beginTotp, (input) => beginTotp(input.context, input.body.proof, proofDeps(input)));
  registry.register(calls.confirmTotp, async ({ context, body, cookie }) => ({
    recovery_codes: await confirmTotp(context, body.code, { ...deps, sessionId: cookie.value }),
  }));
  registry.register(calls.removeTotp, async (input) => {
    await removeTotp(input.context, input.body.proof, proofDeps(input));
    return null;
  });
  registry.register(calls.createRecoveryCodes, async (input) => ({
    recovery_codes: await createRecoveryCodes(input.context, input.body.proof, proofDeps(input)),
  }));
  registry.register(calls.proveSession, async (input) => {
    await proveSession(input.context, input.body.proof, { ...proofDeps(input), sessionId: input.cookie.value });
    return null;
  });
  registry.register(calls.askProofPasskey, (input) => askProofPasskey(input.context, proofDeps(input)));
  registry.register(calls.beginPasskey, (input) => beginPasskey(input.context, input.body.proof, proofDeps(input)));
  registry.register(calls.addPasskey, (input) =>
    addPasskey(input.context, input.body, { ...proofDeps(input), sessionId: input.cookie.value }),
  );
  registry.register(calls.renamePasskey, async ({ context, params, body }) => {
    await renamePasskey(context, params.id, body.name);
    return null;
  });
  registry.register(calls.removePasskey, async (input) => {
    await removePasskey(input.context, input.params.id, input.body.proof, proofDeps(input));
    return null;
  });
  registry.register(calls.resetFactors, async ({ context, params }) => {
    await resetFactors(context, params.id, deps);
    return null;
  });
}

async function presentFactors(context: CallInput<typeof calls.getFactors>["context"]) {
  const { id, lacksSecondFactor } = requireActor(context);
  const { db } = context.database;
  return {
    totp_since: (await findTotp(db, id))?.confirmed_at ?? 0,
    recovery_codes_left: await countRecoveryCodes(db, id),
    passkeys: await listPasskeys(db, id),
    proof: await requiredProofs(context, id),
    is_required: lacksSecondFactor === true,
  };
}
