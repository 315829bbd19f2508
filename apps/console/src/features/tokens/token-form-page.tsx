import { PageHeader } from "../../components/page-header.tsx";

/** Token */
export default function TokenFormPage() {
  return <PageHeader title="Token" />;
}
