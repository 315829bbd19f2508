import { PasskeysCard } from "./passkeys-card.tsx";
import classes from "./security.module.css";
import { SessionsCard } from "./sessions-card.tsx";
import { TwoStepCard } from "./two-step-card.tsx";

/** What one proves the account with beside the password, and where it is logged in. */
export default function SecuritySettings() {
  return (
    <div className={classes.sections}>
      <TwoStepCard />
      <PasskeysCard />
      <SessionsCard />
    </div>
  );
}
