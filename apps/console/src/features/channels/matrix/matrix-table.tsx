import { Checkbox } from "@mantine/core";
import type { ChannelMatrix } from "@one-api/contract/channels/channel-matrix";
import { ScrollBox } from "../../../components/boxes/scroll-box.tsx";
import { ProviderLogo } from "../../../components/logos/provider-name.tsx";
import { TextLink } from "../../../components/text-link.tsx";
import { formatCompact } from "../../../lib/format.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { MatrixCell } from "./matrix-cell.tsx";
import { type MatrixRow, matrixRows, sharesOf, widthOnTwoLines } from "./matrix-rows.ts";
import classes from "./matrix.module.css";

export interface MatrixTableProps {
  matrix: ChannelMatrix;
  preview: ChannelMatrix | undefined;
  off: ReadonlySet<number>;
  onToggle(id: number): void;
}

interface ModelHeadProps {
  model: string;
  requests: number;
  isLost: boolean;
  width: string;
}

function ModelHead({ model, requests, isLost, width }: ModelHeadProps) {
  const { t, language } = useTranslation("channel-matrix");
  return (
    <th scope="col" className={classes.model} style={{ width }}>
      <span className={classes.modelName} style={{ minWidth: `${widthOnTwoLines(model)}ch` }}>
        {model}
      </span>
      <span className={classes.note} data-lost={isLost}>
        {isLost ? t("lost") : t("requests", { count: requests, shown: formatCompact(requests, language) })}
      </span>
    </th>
  );
}

interface RowProps extends Pick<MatrixTableProps, "onToggle"> {
  row: MatrixRow;
  models: ChannelMatrix["models"];
  then: ((channel: number, model: string) => number) | undefined;
  isOff: boolean;
}

function Row({ row: { id, name, type, priority, shares }, models, then, isOff, onToggle }: RowProps) {
  const { t } = useTranslation("channel-matrix");
  return (
    <tr data-off={isOff}>
      <th scope="row" className={classes.channel}>
        <span className={classes.row}>
          <Checkbox size="xs" aria-label={t("keepOn", { name })} checked={!isOff} onChange={() => onToggle(id)} />
          <ProviderLogo type={type} size={18} />
          <span>
            <TextLink to="/channel/$id" params={{ id }} className={classes.name ?? ""} inherit>
              {name}
            </TextLink>
            <span className={classes.note}>{t("priority", { priority })}</span>
          </span>
        </span>
      </th>
      {models.map(({ model }) => (
        <td key={model}>
          <MatrixCell
            id={id}
            channel={name}
            model={model}
            now={shares.get(model)}
            then={then?.(id, model)}
            isOff={isOff}
          />
        </td>
      ))}
    </tr>
  );
}

export function MatrixTable({ matrix, preview, off, onToggle }: MatrixTableProps) {
  const { t } = useTranslation("channel-matrix");
  const then = preview && sharesOf(preview);
  const left = new Map(preview?.models.map(({ model, shares }) => [model, shares.length]));
  // As wide as each other where there is room.
  const width = `${100 / (matrix.models.length + 1)}%`;
  return (
    <ScrollBox label={t("title")} className={classes.box}>
      <table className={classes.matrix}>
        <thead>
          <tr>
            <th scope="col" className={classes.channel}>
              {t("channel")}
            </th>
            {matrix.models.map(({ model, requests }) => (
              <ModelHead key={model} model={model} requests={requests} isLost={left.get(model) === 0} width={width} />
            ))}
          </tr>
        </thead>
        <tbody>
          {matrixRows(matrix).map((row) => (
            <Row
              key={row.id}
              row={row}
              models={matrix.models}
              then={then}
              isOff={off.has(row.id)}
              onToggle={onToggle}
            />
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}
