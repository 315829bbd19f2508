export { beginStep, endStep, endStepsOfUser, tryStep } from "./entry-step.ts";
export { storeConfirmedTotp } from "./factor.repository.ts";
export { registerFactorCalls } from "./factor.routes.ts";
export { relyingPartyOf, takePasskey } from "./passkey-ceremony.ts";
export { askLoginPasskey } from "./passkeys.ts";
export { stepOver, wrongCode } from "./prove-owner.ts";
export { removeFactors } from "./remove-factors.ts";
export { holdBack, secondFactorsOf } from "./second-factors.ts";
export { takeFactorCode } from "./verify-code.ts";
