import { type ReactNode, useEffect, useRef } from "react";
import { Form, useNavigation, useSubmit } from "react-router";
import { classNames } from "./class-names.ts";
import { Icon } from "./icon.tsx";
import { Options, type OptionsProps } from "./options.tsx";

interface FilterSelectProps extends OptionsProps {
  /** Accessible name, not visible. */
  label: string;
  /** Query parameter that it sets. */
  name: string;
  /** Current value in the URL, or "". */
  value: string;
  /** Path of the page with the list. */
  action: string;
  /** Query parameters to preserve. Omits null values. */
  keep?: Readonly<Record<string, string | null>>;
  icon?: ReactNode;
  /** Text of the submit button without JavaScript. */
  button: string;
  /** True to replace the history entry instead of adding one. */
  replace?: boolean;
  children?: ReactNode;
}

/**
 * Select in a pill that filters a list on change. Without JavaScript it is a form with a button. The scroll position
 * stays unless `action` has an anchor.
 */
export function FilterSelect({
  label,
  name,
  value,
  action,
  keep = {},
  icon,
  button,
  replace,
  none,
  options,
  children,
}: FilterSelectProps) {
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
      {Object.entries(keep).map(([kept, word]) => word && <input key={kept} type="hidden" name={kept} value={word} />)}
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
