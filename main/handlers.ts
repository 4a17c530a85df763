import type { Handlers, Output } from '../app/contract/requests.ts';
import type { Core } from './coreShape.ts';
import { listSecrets, openExternal, pickFolder, removeSecret, setSecret } from './host/hostRequests.ts';
import type { HostServices } from './host/hostServices.ts';

/** The table of requests over the core and its host, one line each. Whoever creates or opens a Session follows it from there on. */
export function createHandlers(core: Core, host: HostServices): Handlers {
  const { secrets } = host;
  return {
    'session.create': async (input, caller) => {
      const created = await core.sessions.create(input, caller);
      caller.follow(created.sessionId, 0);
      return created;
    },
    'session.list': (input) => core.sessions.list(input),
    'session.open': async (input, caller) => {
      const opened = await core.sessions.open(input);
      caller.follow(input.sessionId, nextOf(opened, input.after));
      for (const child of opened.view.children) caller.follow(child.sessionId);
      return opened;
    },
    'session.events': (input) => core.sessions.events(input),
    'session.prompt': (input) => core.sessions.prompt(input),
    'session.stop': (input) => core.sessions.stop(input),
    'session.idle': (input) => core.sessions.idle(input),
    'session.verify': (input) => core.sessions.verify(input),
    'preset.list': (input) => core.policy.presets(input),
    'preset.preview': (input) => core.policy.preview(input),
    'preset.set': (input) => core.policy.setPreset(input),
    'mode.set': (input) => core.policy.setMode(input),
    'approvalPolicy.set': (input) => core.policy.setApprovalPolicy(input),
    'approval.list': (input) => core.approvals.list(input),
    'approval.decide': (input, caller) => core.approvals.decide(input, caller),
    'cleanup.list': (input) => core.cleanups.list(input),
    'cleanup.retry': (input) => core.cleanups.retry(input),
    'environment.list': (input) => core.environments.list(input),
    'environment.reset': (input) => core.environments.reset(input),
    'tool.declarations': (input) => core.tools.declarations(input),
    'job.list': (input) => core.jobs.list(input),
    'job.output': (input) => core.jobs.output(input),
    'job.stop': (input) => core.jobs.stop(input),
    'doctor.run': () => core.doctor(),
    'probe.run': (input) => core.probe.run(input),
    'settings.get': () => core.settings.get(),
    'settings.set': (input) => core.settings.set(input),
    'settings.replace': (input) => core.settings.replace(input),
    'script.release': (input) => core.script.release(input),
    'text.read': (input) => core.texts.read(input),
    'demo.start': async (_input, caller) => {
      const started = await core.demo.start(caller);
      caller.follow(started.sessionId, 0);
      return started;
    },
    'host.describe': async () => host.description,
    'host.pickFolder': () => pickFolder(host),
    'host.openExternal': (input) => openExternal(host, input),
    'secret.list': () => listSecrets(secrets),
    'secret.set': (input) => setSecret(secrets, input),
    'secret.remove': (input) => removeSecret(secrets, input),
  };
}

/**
 * Where the events of an answer end. The view may already know of one that is not durable yet and so not among them. Who
 * asked for what comes after an event, and got one page of it, reads the pages up to the view and is told what follows.
 */
function nextOf({ view, events, more }: Output<'session.open'>, after: number | undefined): number {
  const last = after !== undefined && more ? undefined : events.at(-1);
  return (last?.seq ?? view.seq) + 1;
}
