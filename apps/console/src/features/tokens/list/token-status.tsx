import { useTranslation } from "react-i18next";
import { StatusBadge } from "../../../components/status-badge.tsx";
import { tokenStatusLook } from "./token-status-look.ts";

/** The state of a token, with what it means on hover. */
export function TokenStatus({ status }: { status: number }) {
  const { t } = useTranslation("tokens");
  const { name, tone } = tokenStatusLook(status);
  return (
    <StatusBadge tone={tone} title={t(`statusHints.${name}`)}>
      {t(`status.${name}`)}
    </StatusBadge>
  );
}
