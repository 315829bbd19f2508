import { USER_STATUS } from "@one-api/contract/accounts/user-constants";
import { CHANNEL_STATUS } from "@one-api/contract/channels/channel-constants";
import { TOKEN_STATUS } from "@one-api/contract/token-constants";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { useCurrentUser } from "../../../lib/state/session.ts";
import { toastSuccess } from "../../../lib/toasts/toasts.ts";
import { useSetChannelStatus } from "../../channels/channel-mutations.ts";
import { useConfirmOff } from "../../channels/effect/use-confirm-off.tsx";
import { useSetTokenStatus } from "../../tokens/token-mutations.ts";
import { mayManage } from "../../users/user-actions.tsx";
import { useManageUser } from "../../users/user-mutations.ts";
import type { SwitchableRow } from "./found-row.ts";

function isEnabled({ noun, row }: SwitchableRow): boolean {
  if (noun === "user") return row.status === USER_STATUS.enabled;
  if (noun === "token") return row.status === TOKEN_STATUS.enabled;
  return row.status === CHANNEL_STATUS.enabled || row.status === CHANNEL_STATUS.dormant;
}

const nameOf = ({ noun, row }: SwitchableRow) => (noun === "user" ? row.username : row.name);

/** Returns what enables or disables a row, with an undo; undefined where the viewer may not. */
export function useSwitchRow() {
  const { t } = useTranslation("palette");
  const viewer = useCurrentUser();
  const confirmOff = useConfirmOff();
  // The palette is closed when the answer comes, so that no callback of its own would be called.
  const { mutateAsync: setChannel } = useSetChannelStatus();
  const { mutateAsync: setToken } = useSetTokenStatus();
  const { mutateAsync: manage } = useManageUser();

  const send = (found: SwitchableRow, isOn: boolean): Promise<unknown> => {
    const { id } = found.row;
    if (found.noun === "user") return manage({ user: found.row, action: isOn ? "enable" : "disable" });
    if (found.noun === "token") return setToken({ id, status: isOn ? TOKEN_STATUS.enabled : TOKEN_STATUS.disabled });
    return setChannel({ id, status: isOn ? CHANNEL_STATUS.enabled : CHANNEL_STATUS.disabled });
  };
  const change = async (found: SwitchableRow, isOn: boolean) => {
    const { id } = found.row;
    // As in the list of channels: asked only where users would lose models.
    const mayLose = found.noun === "channel" && !isOn;
    if (mayLose && !(await confirmOff({ ids: [id], name: nameOf(found) }))) return;
    // A refusal is shown by the mutation.
    const isDone = await send(found, isOn).then(
      () => true,
      () => false,
    );
    if (!isDone) return;
    const done = t(isOn ? "done.enabled" : "done.disabled", { name: nameOf(found) });
    toastSuccess(done, { label: t("undo"), onSelect: () => void send(found, !isOn).catch(() => undefined) });
  };
  return (found: SwitchableRow | undefined) => {
    if (found === undefined || (found.noun === "user" && !mayManage(viewer, found.row))) return undefined;
    const isOn = isEnabled(found);
    return { isOn, run: () => void change(found, !isOn) };
  };
}
