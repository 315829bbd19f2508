import { Button } from "@mantine/core";
import { EXPORT_FORMATS, type ExportFormat } from "@one-api/contract/export-format";
import { IconDownload } from "@tabler/icons-react";
import { MenuButton } from "../../components/floating/menu-button.tsx";
import { saveFileFrom } from "../../lib/browser/save-text-file.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";

/** Exports all entries that the filters match, as a file. */
export function ExportButton({ addressOf }: { addressOf(format: ExportFormat): string | Promise<string> }) {
  const { t } = useTranslation("logs");
  const save = async (format: ExportFormat) => saveFileFrom(await addressOf(format));
  const entries = EXPORT_FORMATS.map((format) => ({
    id: format,
    label: t(`export.${format}`),
    onSelect: () => void save(format),
  }));
  return (
    <MenuButton
      entries={[{ id: "what", label: t("export.what") }, ...entries]}
      renderButton={(props) => (
        <Button variant="default" leftSection={<IconDownload size={16} />} {...props}>
          {t("export.title")}
        </Button>
      )}
    />
  );
}
