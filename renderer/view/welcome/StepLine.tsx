import { useText } from '../../text/text.ts';
import { STEPS, type Step } from './steps.ts';

/** How far one is. */
export function StepLine({ step }: { readonly step: Step }) {
  const { forms } = useText();
  const words = forms.welcome;
  return (
    <nav aria-label={words.place} className="step-line">
      <p className="muted" role="status">
        {words.step(STEPS.indexOf(step) + 1, STEPS.length)}
      </p>
      <ol>
        {STEPS.map((each) => (
          <li key={each} aria-current={each === step ? 'step' : undefined}>
            {words.steps[each]}
          </li>
        ))}
      </ol>
    </nav>
  );
}
