export { ProviderLogo as default } from "../../../components/logos/provider-name.tsx";
