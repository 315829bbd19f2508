import { Checkbox } from "@mantine/core";
import { Card } from "../../../components/boxes/card.tsx";
import { ProviderLogo } from "../../../components/logos/provider-name.tsx";
import { TextLink } from "../../../components/text-link.tsx";
import { formatCompact } from "../../../lib/format.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { MatrixCell } from "./matrix-cell.tsx";
import { type MatrixRow, matrixRows, sharesOf } from "./matrix-rows.ts";
import type { MatrixTableProps } from "./matrix-table.tsx";
import classes from "./matrix.module.css";

function ChannelBoxes({
  rows,
  off,
  onToggle,
}: Pick<MatrixTableProps, "off" | "onToggle"> & { rows: readonly MatrixRow[] }) {
  const { t } = useTranslation("channel-matrix");
  return (
    <ul className={classes.lines}>
      {rows.map(({ id, name, type }) => (
        <li key={id}>
          <Checkbox
            aria-label={t("keepOn", { name })}
            label={
              <span className={classes.row}>
                <ProviderLogo type={type} size={18} />
                {name}
              </span>
            }
            checked={!off.has(id)}
            onChange={() => onToggle(id)}
          />
        </li>
      ))}
    </ul>
  );
}

/** The matrix of a narrow screen: the channels to switch off in the preview, then each model with the channels that serve it. */
export function MatrixCards({ matrix, preview, off, onToggle }: MatrixTableProps) {
  const { t, language } = useTranslation("channel-matrix");
  const then = preview && sharesOf(preview);
  const left = new Map(preview?.models.map(({ model, shares }) => [model, shares.length]));
  const rows = matrixRows(matrix);
  return (
    <div className={classes.cards}>
      <Card title={t("channels")}>
        <ChannelBoxes rows={rows} off={off} onToggle={onToggle} />
      </Card>
      {matrix.models.map(({ model, requests }) => (
        <Card
          key={model}
          title={model}
          description={
            <span className={classes.note} data-lost={left.get(model) === 0}>
              {left.get(model) === 0
                ? t("lost")
                : t("requests", { count: requests, shown: formatCompact(requests, language) })}
            </span>
          }
        >
          <ul className={classes.lines}>
            {rows
              .filter(({ shares }) => shares.has(model))
              .map(({ id, name, shares }) => (
                <li key={id} className={classes.lineOfModel} data-off={off.has(id)}>
                  <TextLink to="/channel/$id" params={{ id }} className={classes.name ?? ""} inherit>
                    {name}
                  </TextLink>
                  <MatrixCell
                    id={id}
                    channel={name}
                    model={model}
                    now={shares.get(model)}
                    then={then?.(id, model)}
                    isOff={off.has(id)}
                  />
                </li>
              ))}
          </ul>
        </Card>
      ))}
    </div>
  );
}
