interface SegmentsProps<T extends string> {
  readonly legend: string;
  /** Of the group, unique in the window. */
  readonly name: string;
  readonly value: T;
  readonly options: Readonly<Record<T, string>>;
  readonly onChoose: (value: T) => void;
}

/** One of a few, all of them in sight. */
export function Segments<T extends string>({ legend, name, value, options, onChoose }: SegmentsProps<T>) {
  return (
    <fieldset className="segments">
      <legend>{legend}</legend>
      <div className="segments-row">
        {/* `Object.keys` says string; the options are all of T. */}
        {(Object.keys(options) as T[]).map((option) => (
          <label key={option} className="segment">
            <input
              type="radio"
              name={name}
              value={option}
              checked={option === value}
              onChange={() => onChoose(option)}
            />
            {options[option]}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
