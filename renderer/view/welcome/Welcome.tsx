import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { go } from '../../store/place.ts';
import { useText } from '../../text/text.ts';
import { DemoButton } from '../forms/DemoButton.tsx';
import { useDraft } from '../forms/draft.ts';
import { enterSession } from '../forms/enterSession.ts';
import { useCreation } from '../forms/useCreation.ts';
import { useDoctor } from '../settings/useDoctor.ts';
import { AgentStep } from './AgentStep.tsx';
import { MachineStep } from './MachineStep.tsx';
import { markWelcomed } from './markWelcomed.ts';
import { StartStep } from './StartStep.tsx';
import { StepLine } from './StepLine.tsx';
import { STEPS, type Step } from './steps.ts';
import '../forms/forms.css';
import '../settings/settings.css';
import './welcome.css';

/** The first run: what this machine can do, who works, and where (ui.md, Around it). */
export function Welcome() {
  const { common, forms } = useText();
  const words = forms.welcome;
  const [step, setStep] = useState<Step>('machine');
  const heading = useRef<HTMLHeadingElement>(null);
  const doctor = useDoctor();
  const creation = useCreation(undefined, (sessionId) => {
    void markWelcomed();
    enterSession(sessionId);
  });
  const demo = useDraft((draft) => draft.agent === 'demo');
  const at = STEPS.indexOf(step);
  const turn = (by: 1 | -1): void => {
    flushSync(() => setStep(STEPS[at + by] ?? step));
    heading.current?.focus();
  };
  const skip = (): void => {
    void markWelcomed();
    go({ kind: 'home' });
  };
  return (
    <div className="page welcome">
      <StepLine step={step} />
      <h1 ref={heading} tabIndex={-1}>
        {words.steps[step]}
      </h1>
      {step === 'machine' && <MachineStep doctor={doctor} />}
      {step === 'agent' && <AgentStep creation={creation} />}
      {step === 'start' && <StartStep creation={creation} onStarted={() => void markWelcomed()} />}
      <div className="welcome-buttons">
        {at > 0 && (
          <button type="button" className="button" onClick={() => turn(-1)}>
            {common.back}
          </button>
        )}
        {at < STEPS.length - 1 && (
          <button type="button" className="button primary" onClick={() => turn(1)}>
            {words.next}
          </button>
        )}
        <span className="spread" />
        {!(demo && step === 'start') && (
          <DemoButton label={forms.startDemoNow} className="button" onStarted={() => void markWelcomed()} />
        )}
        <button type="button" className="button plain" onClick={skip}>
          {words.skip}
        </button>
      </div>
    </div>
  );
}
