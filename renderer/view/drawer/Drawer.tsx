import { Tabs } from '@base-ui/react/tabs';
import { X } from 'lucide-react';
import { closeDrawer, openDrawer, usePlace, type Drawer as Name } from '../../store/place.ts';
import { useText } from '../../text/text.ts';
import { CleanupList } from './CleanupList.tsx';
import { EnvironmentList } from './EnvironmentList.tsx';
import { ProofList } from '../proof/ProofList.tsx';
import { JobList } from './JobList.tsx';
import './drawer.css';

/** At the right of a Session: what of it is being ended, and what of it lives. */
export function Drawer() {
  const drawer = usePlace((state) => state.drawer);
  const sessionId = usePlace(({ place }) => (place.kind === 'session' ? place.sessionId : undefined));
  const { cleanup, common, jobs, proof } = useText();
  if (sessionId === undefined || drawer === undefined) return null;
  return (
    <aside className="drawer" data-region="drawer" aria-label={cleanup.drawer}>
      <Tabs.Root className="drawer-tabs" value={drawer} onValueChange={(value) => openDrawer(value as Name)}>
        <div className="drawer-head">
          <Tabs.List className="tabs" activateOnFocus>
            <Tabs.Tab className="tab" value={'cleanup' satisfies Name}>
              {cleanup.cleanup}
            </Tabs.Tab>
            <Tabs.Tab className="tab" value={'environments' satisfies Name}>
              {cleanup.environments}
            </Tabs.Tab>
            <Tabs.Tab className="tab" value={'jobs' satisfies Name}>
              {jobs.jobs}
            </Tabs.Tab>
            <Tabs.Tab className="tab" value={'proof' satisfies Name}>
              {proof.proof}
            </Tabs.Tab>
          </Tabs.List>
          <button type="button" className="button plain icon" aria-label={common.close} onClick={closeDrawer}>
            <X size={14} aria-hidden="true" />
          </button>
        </div>
        <Tabs.Panel className="drawer-panel" value={'cleanup' satisfies Name}>
          <CleanupList sessionId={sessionId} />
        </Tabs.Panel>
        <Tabs.Panel className="drawer-panel" value={'environments' satisfies Name}>
          <EnvironmentList sessionId={sessionId} />
        </Tabs.Panel>
        <Tabs.Panel className="drawer-panel" value={'jobs' satisfies Name}>
          <JobList sessionId={sessionId} />
        </Tabs.Panel>
        <Tabs.Panel className="drawer-panel" value={'proof' satisfies Name}>
          <ProofList key={sessionId} sessionId={sessionId} />
        </Tabs.Panel>
      </Tabs.Root>
    </aside>
  );
}
