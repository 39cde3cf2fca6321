import { type ReactNode, useEffect, useRef } from "react";
import { Form, useNavigation, useSubmit } from "react-router";
import { classNames } from "./class-names.ts";
import { Icon } from "./icon.tsx";

export interface OptionsProps {
  /** Text of the empty option. */
  none?: string;
  options?: readonly string[];
}

export const Options = ({ none, options = [] }: OptionsProps) => (
  <>
    {none !== undefined && <option value="">{none}</option>}
    {options.map((option) => (
      <option key={option}>{option}</option>
    ))}
  </>
);

type Fields = Readonly<Record<string, string | null>>;

export const HiddenFields = ({ fields }: { fields: Fields }) =>
  Object.entries(fields).map(([name, value]) => value && <input key={name} type="hidden" name={name} value={value} />);

interface FilterSelectProps extends OptionsProps {
  label: string;
  name: string;
  value: string;
  action: string;
  keep?: Fields;
  icon?: ReactNode;
  /** Text of the submit button without JavaScript. */
  button: string;
  replace?: boolean;
  children?: ReactNode;
}

/** The scroll position stays unless `action` has an anchor. */
export function FilterSelect(props: FilterSelectProps) {
  const { label, name, value, action, keep = {}, icon, button, replace, none, options, children } = props;
  const submit = useSubmit();
  const { state } = useNavigation();
  const form = useRef<HTMLFormElement>(null);
  // Shows the filter of the list after Back, and resets a selection whose list failed to load. Not a key: a remounted
  // select would lose the focus.
  useEffect(() => {
    const select = form.current?.elements.namedItem(name);
    if (state === "idle" && select instanceof HTMLSelectElement) select.value = value;
  }, [state, name, value]);
  return (
    <Form ref={form} method="get" action={action} className="filter-form" preventScrollReset replace={replace}>
      <HiddenFields fields={keep} />
      <span className={classNames("pill-select", !icon && "pill-select--plain")}>
        {icon}
        <select
          aria-label={label}
          name={name}
          defaultValue={value}
          onChange={(event) => submit(event.currentTarget.form, { preventScrollReset: true, replace })}
        >
          {children ?? <Options none={none} options={options} />}
        </select>
        <Icon name="chevron-down" size="s" />
      </span>
      <noscript>
        <button type="submit" className="button button--small button--soft">
          {button}
        </button>
      </noscript>
    </Form>
  );
}
