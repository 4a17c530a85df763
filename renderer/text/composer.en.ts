/** Where a person writes to a Session. */
export const composerEn = {
  message: 'Message',
  say: 'Say what should be done',
  sayQueued: 'Message, queued until this turn’s next step',
  sayNext: 'Message, sent with what is queued',
  recording: 'recording…',
  notSent: (why: string) => `Not sent: ${why} Your text is still here.`,
  queued: 'Queued messages',
  queuedHere: 'Queued until this turn’s next step',
  queuedNext: 'Waits for your next message',
  queuedUnknown: 'A queued message',
  readOnly: 'This Session is read only. Nothing can be sent.',
  failed: 'This Session could not be opened. Nothing can be sent.',
  waitsForCleanup: (what: string) => `Waiting for cleanup of ${what}`,
  thing: (what: string, id: string) => `${what} ${id}`,
  stoppingTurn: 'stopping',
};
