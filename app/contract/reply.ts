/** Every code that a request may fail with (contract.md, Requests). Closed: a door sends no other. */
export const ERROR_CODES = [
  'bad-line',
  'too-large',
  'unknown-request',
  'invalid-input',
  'not-found',
  'read-only',
  'damaged',
  'newer-version',
  'workspace-missing',
  'workspace-refused',
  'unknown-preset',
  'script-invalid',
  'open-turn',
  'no-boundary',
  'storage',
  'SANDBOX_UNAVAILABLE',
  'conflict',
  'forbidden',
  'closing',
  'internal',
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

export interface ErrorReply {
  readonly ok: false;
  readonly code: ErrorCode;
  /** One or two sentences for a person. Never a stack, never text that a program has to take apart. */
  readonly message: string;
  /** Codes of what a person may confirm; repeated with them, the request is not refused for it. Absent: nothing helps. */
  readonly confirm?: readonly string[];
}

/** A message ends like a sentence, whoever wrote it. */
export function errorReply(code: ErrorCode, message: string, confirm?: readonly string[]): ErrorReply {
  const sentence = /[.!?…]$/.test(message) ? message : `${message}.`;
  return { ok: false, code, message: sentence, ...(confirm && { confirm }) };
}

/** Failures are replies: a thrown error would lose its code on the way through a door. */
export type Reply<T = unknown> = { readonly ok: true; readonly output: T } | ErrorReply;

/** What a handler throws to refuse a request, and what a client makes of an error reply. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly code: ErrorCode;
  readonly confirm: readonly string[] | undefined;
  constructor(
    code: ErrorCode,
    message: string,
    options?: { cause?: unknown; confirm?: readonly string[] | undefined },
  ) {
    super(message, options);
    this.code = code;
    this.confirm = options?.confirm;
  }
}
