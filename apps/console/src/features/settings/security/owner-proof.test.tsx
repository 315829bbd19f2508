import { screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { callApi } from "../../../lib/api/api-client.ts";
import { useProofRequest } from "../../../lib/state/owner-proof.ts";
import { renderPage } from "../../../testing/render-page.tsx";
import { accepted, stubApi } from "../../../testing/stub-api.ts";
import OwnerProofDialog from "./owner-proof-dialog.tsx";

beforeEach(() => vi.unstubAllGlobals());

const needed = { status: 403, body: { success: false, message: "Prove it.", data: null, code: "proof-needed" } };
const factors = {
  totp_since: 1,
  recovery_codes_left: 9,
  passkeys: [],
  proof: ["password", "factor"],
  is_required: false,
};

function Gate() {
  return useProofRequest() !== undefined && <OwnerProofDialog />;
}

async function open() {
  let isProven = false;
  const sent = stubApi({
    "GET /api/user/token": () => (isProven ? accepted("the-token") : needed),
    "GET /api/user/factors": accepted(factors),
    "POST /api/user/factors/proof": () => {
      isProven = true;
      return accepted(null);
    },
  });
  await renderPage(<Gate />, { texts: ["security"] });
  return sent;
}

test("a call that needs a proof asks for the password or a code, and goes on with it", async () => {
  const sent = await open();
  const token = callApi("GET /api/user/token");
  await userEvent.type(await screen.findByLabelText("Your password"), "correct horse");
  await userEvent.click(screen.getByRole("button", { name: "Continue" }));
  await expect(token).resolves.toBe("the-token");
  const proofs = sent.filter(({ address }) => address === "/api/user/factors/proof");
  expect(proofs.map(({ body }) => body)).toEqual([{ proof: { password: "correct horse", code: "" } }]);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

test("a call whose proof is given up fails with the server's refusal", async () => {
  await open();
  const refusal = expect(callApi("GET /api/user/token")).rejects.toMatchObject({ code: "proof-needed" });
  await userEvent.click(await screen.findByRole("button", { name: "Cancel" }));
  await refusal;
});
