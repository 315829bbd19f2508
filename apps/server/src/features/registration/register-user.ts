import { type Registration, repeatsPassword } from "@one-api/contract/accounts/registration";
import { AppError } from "../../core/app-error.ts";
import type { CallContext } from "../../core/call-context.ts";
import { checkInvited, lookupOfInvitation } from "../invitations/index.ts";
import { checkNames, type PasswordHasher } from "../users/index.ts";
import { consumeEmailCode, tryEmailCode } from "../verification/index.ts";
import { type AccountDeps, createAccount } from "./create-account.ts";
import { checkEmailDomain, checkEmailIsFree, wrongEmailCode } from "./email.policy.ts";

interface RegistrationDeps extends AccountDeps {
  readonly hasher: PasswordHasher;
}

/**
 * Creates an account. Without e-mail verification the unproven address is not stored.
 * Throws `registration-off`, `registration-by-password-off`, `passwords-differ`, `email-code-wrong`,
 * `user-username-taken`, and the refusals of names, addresses and invitations.
 */
export async function registerUser(context: CallContext, input: Registration, deps: RegistrationDeps): Promise<void> {
  const { options, hasher } = deps;
  if (!options.flag("RegisterEnabled"))
    throw new AppError("registration-off", "Registration is turned off. Ask an administrator for an account.");
  if (!options.flag("PasswordRegisterEnabled")) {
    throw new AppError(
      "registration-by-password-off",
      "Registration by password is turned off. Use another way to sign up.",
    );
  }
  const { username, password } = input;
  if (!repeatsPassword(input))
    throw new AppError("passwords-differ", "The two passwords entered do not match", { field: "password2" });
  checkNames({ username });
  const invitation = lookupOfInvitation(context, input.invitation);
  checkInvited(options, invitation);
  const claim = { purpose: "address", email: input.email, code: input.verification_code } as const;
  const needsEmail = options.flag("EmailVerificationEnabled");
  if (needsEmail) {
    checkEmailDomain(options, input.email);
    if (!(await tryEmailCode(context, claim))) throw wrongEmailCode();
  }
  // Hashed before the transaction, which must stay short.
  const account = {
    username,
    display_name: username,
    password_hash: await hasher.hash(password),
    email: needsEmail ? input.email : "",
    inviteCode: input.aff_code,
    invitation,
  };
  await createAccount(context, deps, account, async (transaction) => {
    if (!needsEmail) return;
    if (!(await consumeEmailCode(transaction, context, claim))) throw wrongEmailCode();
    await checkEmailIsFree(transaction, input.email);
  });
}
