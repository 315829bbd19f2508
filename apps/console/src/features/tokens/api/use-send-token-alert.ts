import { sendTokenAlert } from "@one-api/contract/token";
import { useMutation } from "@tanstack/react-query";
import { callApi } from "../../../lib/api-client.ts";

/** The mails that can be sent about a token. */
export type TokenAlert = "balance" | "expired";

interface SendAlert {
  id: number;
  alertType: TokenAlert;
}

/** Sends the balance or the expiry mail of a token now. */
export function useSendTokenAlert() {
  return useMutation({ mutationFn: (query: SendAlert) => callApi(sendTokenAlert, { query }) });
}
