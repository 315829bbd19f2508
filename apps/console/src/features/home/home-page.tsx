import { PageHeader } from "../../components/page-header.tsx";

/** Home */
export default function HomePage() {
  return <PageHeader title="Home" />;
}
