import type { SessionId } from '../base/id.ts';
import type { SessionDraft, SessionEvent } from './events.ts';
import type { Header } from './header.ts';
import { Session, type SessionOptions } from './session.ts';
import { type SessionWriter } from './store.ts';
import type { Timers } from './writeBehind.ts';
/** Time as the test says. */
export declare class FakeTimers implements Timers {
    #private;
    now: number;
    after(ms: number, job: () => void): () => void;
    get waiting(): number;
    /** Time passes; what is due runs, in order. */
    pass(ms: number): Promise<void>;
}
/** Everything that is ready to run has run. */
export declare function settle(): Promise<void>;
/** A log in memory that behaves as a store's writer does, and fails when it is told to. */
export declare class MemoryWriter implements SessionWriter {
    readonly kind = "writer";
    readonly batches: (readonly SessionEvent[])[];
    readonly blobs: Map<string, string>;
    readonly stored: {
        id: SessionId;
        header: Header;
        length: number;
        updated: number;
        folded: import("./view/fold.ts").Folded;
    };
    readonly window: SessionEvent[];
    readonly callIds: ReadonlyMap<string, number>;
    /** Thrown by the next appends until it is taken away. */
    failure: Error | undefined;
    closed: number;
    constructor(header: Header, events?: readonly SessionEvent[]);
    get events(): readonly SessionEvent[];
    append(expectedSeq: number, batch: readonly SessionEvent[]): Promise<void>;
    keep(text: string): Promise<string>;
    close(): Promise<void>;
}
export declare function headerOf(id?: string, more?: Partial<Header>): Header;
export interface Prepared {
    readonly session: Session;
    readonly writer: MemoryWriter;
    readonly timers: FakeTimers;
    readonly faults: unknown[];
}
/** A Session on a log in memory, prepared and not yet announced. */
export declare function prepare(options?: Partial<SessionOptions> & {
    readonly stored?: readonly SessionEvent[];
}): Prepared;
/** Drafts as a log would have committed them. */
export declare function committed(drafts: readonly SessionDraft[], from?: number): readonly SessionEvent[];
