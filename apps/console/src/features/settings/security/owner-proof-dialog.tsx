import { callApi } from "../../../lib/api/api-client.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { settleProof } from "../../../lib/state/owner-proof.ts";
import { ProofDialog } from "./proof-dialog.tsx";

/** Requests the password or a second factor before a sensitive call continues. */
export default function OwnerProofDialog() {
  const { t } = useTranslation("security");
  return (
    <ProofDialog
      title={t("proof.ownerTitle")}
      text={t("proof.ownerText")}
      submitLabel={t("proof.next")}
      isOnePartEnough
      send={(proof) => callApi("POST /api/user/factors/proof", { body: { proof } })}
      onDone={() => settleProof(true)}
      onClose={() => settleProof(false)}
    />
  );
}
