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
