import { TOKEN_QUOTA_PRESETS } from "@one-api/contract/token-constants";
import { PresetButtons } from "../../../components/form/preset-buttons.tsx";

interface QuotaPresetsProps {
  label: string;
  /** In the field; text while it is typed. */
  quota: number | string;
  disabled?: boolean;
  onChoose(quota: number): void;
  write?(dollars: number): string;
}

const dollarsFirst = (dollars: number) => `$${dollars}`;

/** The specification's amounts as buttons under a field of quota. */
export function QuotaPresets(props: QuotaPresetsProps) {
  const { label, quota, disabled = false, onChoose, write = dollarsFirst } = props;
  const presets = TOKEN_QUOTA_PRESETS.map((preset) => ({
    id: String(preset.quota),
    label: write(preset.dollars),
    isChosen: quota === preset.quota,
    onChoose: () => onChoose(preset.quota),
  }));
  return <PresetButtons label={label} presets={presets} disabled={disabled} />;
}
