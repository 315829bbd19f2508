import { useForm, type UseFormReturnType } from "@mantine/form";
import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { renderPage } from "../../../testing/render-page.tsx";
import { formPart } from "./form-part.tsx";

interface Values {
  name: string;
  city: string;
}

interface Part {
  form: UseFormReturnType<Values>;
  note: string;
}

const renders = { name: 0, city: 0, greeting: 0 };

const NamePart = formPart(function NamePart({ form }: Part) {
  renders.name += 1;
  return <input aria-label="Name" {...form.getInputProps("name")} />;
});

const CityPart = formPart(function CityPart({ form, note }: Part) {
  renders.city += 1;
  return (
    <>
      <input aria-label="City" {...form.getInputProps("city")} />
      <p>{form.errors["city"]}</p>
      <p>{note}</p>
      <button type="button" onClick={() => form.setFieldValue("city", (city) => `${city}, ${form.values.name}`)}>
        Add name
      </button>
    </>
  );
});

/** Reads a value only while the other one is set. */
const Greeting = formPart(function Greeting({ form }: Part) {
  renders.greeting += 1;
  return <output>{form.values.name === "" ? "Nobody" : `${form.values.name} of ${form.values.city}`}</output>;
});

function Page() {
  const form = useForm<Values>({
    initialValues: { name: "", city: "" },
    validate: { city: (city) => (city === "x" ? "No such city" : null) },
    validateInputOnBlur: true,
  });
  const props = { form, note: form.values.name.length > 2 ? "long" : "short" };
  return (
    <>
      <NamePart {...props} note="" />
      <CityPart {...props} />
      <Greeting {...props} note="" />
    </>
  );
}

test("a part renders for the values, errors and props that it reads, and for no others", async () => {
  await renderPage(<Page />);
  const [name, city] = [screen.getByLabelText("Name"), screen.getByLabelText("City")];
  const before = { ...renders };
  await userEvent.type(city, "Bo");
  expect(city).toHaveProperty("value", "Bo");
  expect(renders).toMatchObject({ name: before.name, greeting: before.greeting });

  await userEvent.type(name, "An");
  expect(screen.getByRole("status").textContent).toBe("An of Bo");
  const afterName = renders.city;
  await userEvent.type(city, "nn");
  expect(screen.getByRole("status").textContent).toBe("An of Bonn");

  expect(screen.queryByText("long")).toBeNull();
  await userEvent.type(name, "n");
  expect(screen.getByText("long")).toBeTruthy();
  expect(renders.city).toBeGreaterThan(afterName);

  await userEvent.click(screen.getByRole("button", { name: "Add name" }));
  expect(city).toHaveProperty("value", "Bonn, Ann");
  await userEvent.clear(city);
  await userEvent.type(city, "x");
  await userEvent.tab();
  expect(screen.getByText("No such city")).toBeTruthy();
});
