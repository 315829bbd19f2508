import { PageHeader } from "../../components/page-header.tsx";

/** Tokens */
export default function TokenListPage() {
  return <PageHeader title="Tokens" />;
}
