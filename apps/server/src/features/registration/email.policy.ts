import { splitList } from "@one-api/contract/texts";
import { AppError } from "../../core/app-error.ts";
import type { OptionStore } from "../../core/option-store.ts";
import type { Queryable } from "../../core/transaction.ts";
import { findUsersByEmail } from "../users/index.ts";

/** Throws `email-missing` for an empty address, and `email-domain-refused` for a domain that is not allowed. */
export function checkEmailDomain(options: OptionStore, email: string): void {
  if (email === "") throw new AppError("email-missing", "Fill in the e-mail address.", { field: "email" });
  if (!options.flag("EmailDomainRestrictionEnabled")) return;
  const domain = email.slice(email.lastIndexOf("@") + 1);
  const allowed = splitList(options.text("EmailDomainWhitelist").toLowerCase());
  if (allowed.includes(domain)) return;
  const message = `Addresses at ${domain} are not accepted. Use one at: ${allowed.join(", ")}.`;
  throw new AppError("email-domain-refused", message, {
    field: "email",
    values: { domain, allowed: allowed.join(", ") },
  });
}

/** Throws `email-taken`. Called only after the address was proven, as others must not learn it. */
export async function checkEmailIsFree(queryable: Queryable, email: string): Promise<void> {
  if ((await findUsersByEmail(queryable, email)).length === 0) return;
  throw new AppError("email-taken", "This address belongs to another account. Use another one.", { field: "email" });
}

/** The same refusal for every reason, so that it does not help guessing. */
export function wrongEmailCode(): AppError {
  return new AppError("email-code-wrong", "The verification code is wrong or has expired. Ask for a new one.", {
    field: "verification_code",
  });
}
