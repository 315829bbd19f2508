import { Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { ButtonLink } from "../../components/buttons/button-link.tsx";
import { Card } from "../../components/boxes/card.tsx";
import { CodeBlock } from "../../components/content/code-block.tsx";
import { EmptyState } from "../../components/data-table/empty-state.tsx";
import { ListError } from "../../components/data-table/list-error.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { lazyPart } from "../../lib/loading/later-part.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import type { RawSearch } from "../../lib/list/list-search.ts";
import { choiceOf, integerOf, textOf } from "../../lib/values/read-values.ts";
import { useServerAddress } from "../../lib/state/stored-status.ts";
import { useCardScreen } from "../../lib/browser/use-narrow-screen.ts";
import { useChatModels, useTokenChoices } from "../playground/playground-queries.ts";
import { ModelSelect } from "../playground/setup/model-select.tsx";
import { TokenSelect } from "../playground/setup/token-select.tsx";
import { tokenQuery } from "../tokens/token-queries.ts";
import { fullKey, maskedKey } from "../tokens/token-sharing.ts";
import { ClientLogo } from "./client-logo.tsx";
import type { Recipe as ClientRecipe, RecipeParts, RecipePlace } from "./recipe-steps.ts";
import { modelFor, RECIPES, type RecipeId } from "./recipes.ts";
import { TokenLimitNote } from "./token-limit-note.tsx";
import classes from "./recipes-page.module.css";

const FirstRequest = lazyPart(() => import("../tokens/first-request.tsx"), ["tokens", "logs", "channel-reasons"]);

const GROUPS = ["agents", "apps", "libraries"] as const;

const recipeOf = (client: RecipeId): ClientRecipe => RECIPES.find(({ id }) => id === client) ?? RECIPES[0];

/** State of the page in its address, never a key. */
interface RecipesSearch {
  readonly token?: number | undefined;
  readonly model?: string | undefined;
  readonly client?: RecipeId | undefined;
}

function readRecipesSearch({ token, model, client }: RawSearch): RecipesSearch {
  const ids = RECIPES.map(({ id }) => id);
  return {
    token: integerOf(token, { least: 1 }),
    model: textOf(model, { most: 256 }),
    client: choiceOf(client, ids),
  };
}

function useRecipesSearch() {
  const search = readRecipesSearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  const change = (patch: RecipesSearch) => {
    void navigate({ to: ".", search: { ...search, ...patch }, replace: true, resetScroll: false });
  };
  return { search, change };
}

interface ClientsProps {
  chosen: RecipeId;
  onChoose(id: RecipeId): void;
}

function Clients({ chosen, onChoose }: ClientsProps) {
  const { t } = useTranslation("recipes");
  return (
    <nav className={classes.clients} aria-label={t("clients")}>
      {GROUPS.map((group) => (
        <div key={group} className={classes.group} role="group" aria-label={t(`groups.${group}`)}>
          <p className={classes.groupName} aria-hidden>
            {t(`groups.${group}`)}
          </p>
          {RECIPES.filter((recipe) => recipe.group === group).map(({ id, name }) => (
            <button
              key={id}
              type="button"
              className={classes.client}
              aria-pressed={id === chosen}
              onClick={() => onChoose(id)}
            >
              <ClientLogo client={id} />
              {name}
            </button>
          ))}
        </div>
      ))}
    </nav>
  );
}

function ClientSelect({ chosen, onChoose }: ClientsProps) {
  const { t } = useTranslation("recipes");
  const itemsOf = (group: string) =>
    RECIPES.filter((recipe) => recipe.group === group).map(({ id, name }) => ({ value: id, label: name }));
  return (
    <Select
      label={t("client")}
      data={GROUPS.map((group) => ({ group: t(`groups.${group}`), items: itemsOf(group) }))}
      value={chosen}
      allowDeselect={false}
      onChange={(value) => onChoose(RECIPES.find(({ id }) => id === value)?.id ?? chosen)}
    />
  );
}

interface StepsProps {
  client: RecipeId;
  parts: Omit<RecipeParts, "key">;
  keys: { readonly whole: string; readonly masked: string };
}

/** Steps of a recipe. The key is shown masked, and copied whole. */
function Steps({ client, parts, keys }: StepsProps) {
  const { t } = useTranslation("recipes");
  const recipe = recipeOf(client);
  const shown = recipe.steps({ ...parts, key: keys.masked });
  const nameOf = (place: RecipePlace) => ("file" in place ? place.file : t(`fields.${place.field}`));
  return (
    <Card title={recipe.name} description={t(`hints.${client}`)}>
      <ol className={classes.steps}>
        {recipe.steps({ ...parts, key: keys.whole }).map(({ place, code }, index) => (
          <li key={nameOf(place)} className={classes.step}>
            <h3 className={classes.place}>{nameOf(place)}</h3>
            <CodeBlock
              code={code}
              shown={shown[index]?.code ?? ""}
              label={t("copy", { place: nameOf(place), client: recipe.name })}
            />
          </li>
        ))}
      </ol>
    </Card>
  );
}

/** Token and model of the address, else the newest token and a model that fits the client. */
function useChoice() {
  const { search, change } = useRecipesSearch();
  const tokens = useTokenChoices("");
  const tokenId = search.token ?? tokens.data?.[0]?.id;
  const token = useQuery({ ...tokenQuery(tokenId ?? 0), enabled: tokenId !== undefined });
  const models = useChatModels(tokenId);
  const names = models.data?.map(({ model }) => model) ?? [];
  const client = search.client ?? RECIPES[0].id;
  const name = search.model ?? (names.length === 0 ? undefined : modelFor(recipeOf(client), names));
  return {
    change,
    client,
    hasNoToken: tokens.data?.length === 0 && search.token === undefined,
    tokenId,
    token: token.data,
    models,
    name,
    failed: [tokens, models].find(({ data, error }) => data === undefined && error !== null),
    model: models.data?.find(({ model }) => model === name),
  };
}

function Recipe() {
  const { t } = useTranslation("recipes", "playground");
  const address = useServerAddress();
  const { change, client, tokenId, token, models, name, model } = useChoice();
  const choose = (id: RecipeId) => change({ client: id });
  const isNarrow = useCardScreen();
  return (
    <div className={classes.columns}>
      {!isNarrow && <Clients chosen={client} onChoose={choose} />}
      <div className={classes.recipe}>
        <div className={classes.choices}>
          {isNarrow && <ClientSelect chosen={client} onChoose={choose} />}
          <TokenSelect
            tokenId={tokenId}
            hint={token !== undefined && recipeOf(client).group === "agents" && <TokenLimitNote token={token} />}
            onChange={(id) => change({ token: id, model: undefined })}
          />
          <ModelSelect
            models={models}
            label={t("playground:setup.model")}
            value={name}
            onChange={(chosen) => change({ model: chosen })}
          />
        </div>
        {models.data?.length === 0 && <p className={classes.note}>{t("playground:noModel.text")}</p>}
        {models.data === undefined && <div data-loading />}
        {token !== undefined && model !== undefined && (
          <Steps
            client={client}
            parts={{ address, model, greeting: t("playground:code.sample") }}
            keys={{ whole: fullKey(token), masked: maskedKey(token) }}
          />
        )}
        {token !== undefined && (
          <div className={classes.wait}>
            <FirstRequest key={`${token.id} ${client}`} tokens={[token]} of="client" />
          </div>
        )}
      </div>
    </div>
  );
}

export default function RecipesPage() {
  const { t } = useTranslation("recipes", "playground");
  const { hasNoToken, failed } = useChoice();
  return (
    <>
      <PageHeader
        title={t("title")}
        description={t("description")}
        back={<TextLink to="/token">{t("back")}</TextLink>}
      />
      {hasNoToken ? (
        <EmptyState
          title={t("noTokenTitle")}
          text={t("noToken")}
          action={<ButtonLink to="/token/add">{t("addToken")}</ButtonLink>}
        />
      ) : (
        <Recipe />
      )}
      {failed?.error && <ListError error={failed.error} onRetry={() => void failed.refetch()} />}
    </>
  );
}
