import { type ComponentProps, type ReactNode, useEffect, useId, useRef } from "react";
import { Form, useNavigation, useSubmit } from "react-router";
import { classNames } from "./class-names.ts";
import { ChevronDownIcon } from "./icon.tsx";

interface FilterSelectProps {
  /** Heard, not seen. */
  label: string;
  /** The parameter of the address that it chooses. */
  name: string;
  /** What the address says now; "" when it says nothing. */
  value: string;
  /** The page whose list it filters. */
  action: string;
  /** Other parameters of the address, which stay; those without a value are left out. */
  keep?: Readonly<Record<string, string | null>>;
  icon?: ReactNode;
  /** The word on the button that is there without JavaScript. */
  button: string;
  /** Replaces the entry in the history instead of adding one. */
  replace?: boolean;
  /** The form finds what the whole page lists. */
  search?: boolean;
  /** Option elements. */
  children: ReactNode;
}

/** A select in a pill that filters a list as soon as something is chosen: a form with a button where there is no JavaScript. The page stays where it is scrolled to, or goes to the place that `action` names. */
export function FilterSelect({
  label,
  name,
  value,
  action,
  keep = {},
  icon,
  button,
  replace,
  search = false,
  children,
}: FilterSelectProps) {
  const submit = useSubmit();
  const { state } = useNavigation();
  const form = useRef<HTMLFormElement>(null);
  // What was chosen and could not be loaded is not what the list shows.
  useEffect(() => {
    const select = form.current?.elements.namedItem(name);
    if (state === "idle" && select instanceof HTMLSelectElement) select.value = value;
  }, [state, name, value]);
  return (
    <Form
      ref={form}
      method="get"
      action={action}
      className="filter-form"
      role={search ? "search" : undefined}
      aria-label={search ? label : undefined}
      preventScrollReset
      replace={replace}
    >
      {Object.entries(keep).map(([kept, word]) => word && <input key={kept} type="hidden" name={kept} value={word} />)}
      <CompactSelect
        key={value}
        label={label}
        name={name}
        icon={icon}
        defaultValue={value}
        onChange={(event) => submit(event.currentTarget.form, { preventScrollReset: true, replace })}
      >
        {children}
      </CompactSelect>
      <noscript>
        <button type="submit" className="button button--small button--soft">
          {button}
        </button>
      </noscript>
    </Form>
  );
}

/** A select in a pill for a header or a list's toolbar, with its label for screen readers only. */
function CompactSelect({
  label,
  icon,
  children,
  ...select
}: ComponentProps<"select"> & { label: string; icon?: ReactNode }) {
  const id = useId();
  return (
    <span className={classNames("pill-select", !icon && "pill-select--plain")}>
      {icon}
      <label className="visually-hidden" htmlFor={id}>
        {label}
      </label>
      <select {...select} id={id}>
        {children}
      </select>
      <ChevronDownIcon size="s" />
    </span>
  );
}
