import { ActionIcon, Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { IconLogin2, IconLogout } from "@tabler/icons-react";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { ButtonLink } from "../../components/buttons/button-link.tsx";
import { useCurrentUser } from "../../lib/state/session.ts";
import { useLogOut } from "../login/session-mutations.ts";
import classes from "./account-buttons.module.css";

export function AccountButtons({ collapsed }: { collapsed: boolean }) {
  const { t } = useTranslation("shell");
  const user = useCurrentUser();
  const logOut = useLogOut();
  if (user === undefined) {
    if (collapsed) {
      return (
        <Link to="/login" className={classes.icon} aria-label={t("login")} title={t("login")}>
          <IconLogin2 size={18} stroke={1.6} />
        </Link>
      );
    }
    return (
      <div className={classes.ways}>
        <ButtonLink to="/login" variant="default">
          {t("login")}
        </ButtonLink>
        <ButtonLink to="/register" variant="default">
          {t("register")}
        </ButtonLink>
      </div>
    );
  }
  const leave = () => logOut.mutate();
  if (collapsed) {
    return (
      <ActionIcon size={32} aria-label={t("logout")} title={t("logout")} loading={logOut.isPending} onClick={leave}>
        <IconLogout size={18} stroke={1.6} />
      </ActionIcon>
    );
  }
  return (
    <div className={classes.user}>
      <Link to="/user/edit" className={classes.name} title={t("editProfile")}>
        {user.display_name || user.username}
      </Link>
      <Button
        className={classes.leave ?? ""}
        size="xs"
        variant="default"
        leftSection={<IconLogout size={14} />}
        loading={logOut.isPending}
        onClick={leave}
      >
        {t("logout")}
      </Button>
    </div>
  );
}
