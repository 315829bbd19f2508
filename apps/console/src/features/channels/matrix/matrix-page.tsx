import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { ButtonLink } from "../../../components/buttons/button-link.tsx";
import { EmptyState } from "../../../components/data-table/empty-state.tsx";
import { ListError } from "../../../components/data-table/list-error.tsx";
import { SearchBox } from "../../../components/data-table/controls/search-box.tsx";
import { Select } from "../../../components/floating/select.tsx";
import { LoadingPlaceholder } from "../../../components/loading-placeholder.tsx";
import { PageHeader } from "../../../components/page-header.tsx";
import { TextLink } from "../../../components/text-link.tsx";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { useCardScreen } from "../../../lib/browser/use-narrow-screen.ts";
import { useListSearch } from "../../../lib/list/use-list-search.ts";
import { groupsQuery } from "../channel-queries.ts";
import { channelMatrixQuery } from "./matrix-query.ts";
import { DEFAULT_GROUP, readMatrixSearch } from "./matrix-search.ts";
import { MatrixCards } from "./matrix-cards.tsx";
import { MatrixTable } from "./matrix-table.tsx";
import classes from "./matrix.module.css";
import { PreviewBar } from "./preview-bar.tsx";

function GroupSelect({ group, onChoose }: { group: string; onChoose(group: string): void }) {
  const { t } = useTranslation("channel-matrix");
  const groups = useQuery(groupsQuery);
  return (
    <Select
      aria-label={t("group")}
      className={classes.group ?? ""}
      data={[...new Set([DEFAULT_GROUP, ...(groups.data ?? []), group])].map((name) => ({
        value: name,
        label: t("groupOf", { group: name }),
      }))}
      value={group}
      onChange={(chosen) => chosen !== null && onChoose(chosen)}
    />
  );
}

interface MatrixProps {
  group: string;
  keyword: string;
  off: readonly number[];
  onOff(off: readonly number[]): void;
}

function Matrix({ group, keyword, off, onOff }: MatrixProps) {
  const { t } = useTranslation("channel-matrix");
  const asCards = useCardScreen();
  const matrix = useQuery(channelMatrixQuery({ group, keyword }));
  const preview = useQuery({
    ...channelMatrixQuery({ group, keyword, without: off.join() }),
    enabled: off.length > 0,
  });
  if (matrix.error !== null) return <ListError error={matrix.error} onRetry={() => void matrix.refetch()} />;
  if (matrix.data === undefined) return <LoadingPlaceholder prompt={t("title")} />;
  const { models, total } = matrix.data;
  if (models.length === 0 && keyword !== "") return <EmptyState title={t("noMatch")} />;
  if (models.length === 0)
    return <EmptyState title={t("none")} action={<ButtonLink to="/channel/add">{t("add")}</ButtonLink>} />;
  const chosen = new Set(off);
  const View = asCards ? MatrixCards : MatrixTable;
  return (
    <>
      <View
        matrix={matrix.data}
        preview={off.length === 0 ? undefined : preview.data}
        off={chosen}
        onToggle={(id) => onOff(chosen.has(id) ? off.filter((other) => other !== id) : [...off, id])}
      />
      <p className={classes.foot}>
        {models.length < total ? t("some", { shown: models.length, total }) : t("all", { count: total })}{" "}
        {!asCards && `${t("emptyCell")} `}
        {t("absent")}
      </p>
    </>
  );
}

export default function ChannelMatrixPage() {
  const { t } = useTranslation("channel-matrix");
  const search = useListSearch();
  const { group = DEFAULT_GROUP, off: offText } = readMatrixSearch(useSearch({ strict: false }));
  const off = offText === undefined ? [] : offText.split(",").map(Number);
  const setOff = (ids: readonly number[]) => search.setFilters({ off: ids.length === 0 ? undefined : ids.join() });
  return (
    <>
      <PageHeader
        title={t("title")}
        description={t("description")}
        back={<TextLink to="/channel">{t("back")}</TextLink>}
      />
      <div className={classes.tools}>
        <SearchBox value={search.keyword} onSearch={search.setKeyword} placeholder={t("search")} />
        <GroupSelect
          group={group}
          onChoose={(next) => search.setFilters({ group: next === DEFAULT_GROUP ? undefined : next })}
        />
      </div>
      <PreviewBar ids={off} onClear={() => setOff([])} />
      <Matrix group={group} keyword={search.keyword} off={off} onOff={setOff} />
    </>
  );
}
