import { PageHeader } from "../../components/page-header.tsx";

/** Logs */
export default function LogPage() {
  return <PageHeader title="Logs" />;
}
