import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { FormLoadError } from "../../components/form/form-load-error.tsx";
import { LoadingPlaceholder } from "../../components/loading-placeholder.tsx";
import { useRowId } from "../../lib/use-row-id.ts";
import { channelQuery } from "./channel-queries.ts";
import { ChannelForm } from "./form/channel-form.tsx";

function StoredChannelForm({ id }: { id: number }) {
  const { t } = useTranslation("channels");
  const channel = useQuery(channelQuery(id));
  if (channel.data !== undefined) return <ChannelForm channel={channel.data} />;
  if (channel.error !== null)
    return (
      <FormLoadError
        title={t("editTitle")}
        backPath="/channel"
        error={channel.error}
        onRetry={() => void channel.refetch()}
      />
    );
  return <LoadingPlaceholder prompt={t("one")} />;
}

export default function ChannelFormPage() {
  const id = useRowId();
  return id === undefined ? <ChannelForm key="new" /> : <StoredChannelForm key={id} id={id} />;
}
